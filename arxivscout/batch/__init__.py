"""Batch jobs: job files, the workers that share a queue, and the files they leave."""
