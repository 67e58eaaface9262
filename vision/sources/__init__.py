"""Where pictures in time come from: cameras, recordings, folders of stills, network streams, a browser."""
