"""The same results sooner, or for more text. Without this room no step is lost, only time."""
