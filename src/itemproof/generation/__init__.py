"""Scoring of generated text: prompts out, answers in, a verdict that never changes."""
