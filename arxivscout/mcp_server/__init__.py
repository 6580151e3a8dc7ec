"""The door for other assistants: ArxivScout's search and memory over the Model Context Protocol."""
