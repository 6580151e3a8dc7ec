"""What `arxivscout bench` measures."""
