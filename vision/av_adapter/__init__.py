"""Video in and out: the only place that knows PyAV.

A frame's brightness is a view on the decoder's own memory, and colour is made only when it is asked for. Frames
come upright: what the container says of the camera's orientation (the display matrix) is applied to both.
"""

from vision.av_adapter.files import VideoFile
from vision.av_adapter.network import NetworkVideo
from vision.av_adapter.writer import VideoWriter

__all__ = ["NetworkVideo", "VideoFile", "VideoWriter"]
