"""Reports of research jobs: what one says, and the files it becomes."""
