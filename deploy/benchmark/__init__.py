"""What deploy/bench measures, and with what."""
