"""The one module that knows Mitsuba 3 and OIDN: renders a scene and tests what the camera sees of it.

Set ``DRJIT_LIBLLVM_PATH`` to a libLLVM 19; without it set ``TRACED_VARIANT=scalar_rgb`` (slow).
"""

from __future__ import annotations

import os
from typing import Any

import drjit as dr
import mitsuba as mi
import numpy as np
import pyoidn
from numpy.typing import NDArray

from datasets.traced import assets
from datasets.traced.lights import Light
from datasets.traced.meshes import Floats, Material, Mesh, merge
from datasets.traced.scene import Scene, shared_materials

__all__ = ["Tracer"]

mi.set_variant(os.environ.get("TRACED_VARIANT", "llvm_ad_rgb"))
# With a single thread the reader of OpenEXR waits for itself for ever.
dr.set_thread_count(int(os.environ.get("TRACED_THREADS", "2")))


def _bitmap(image: NDArray[np.uint8], raw: bool) -> dict[str, Any]:
    """A texture; bytes that are not raw are sRGB."""
    values = image[..., None] if image.ndim == 2 else image
    bitmap = mi.Bitmap(np.array(values, order="C"))
    bitmap.set_srgb_gamma(not raw)
    return {"type": "bitmap", "bitmap": bitmap, "raw": raw, "wrap_mode": "repeat"}


def _linear(colour: tuple[float, float, float]) -> list[float]:
    """Linear values of sRGB bytes."""
    return [float((c / 255 / 12.92) if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4) for c in colour]


def _bsdf(material: Material) -> dict[str, Any]:
    if material.glass:
        return {"type": "thindielectric", "int_ior": 1.5}
    albedo = material.albedo
    base = {"type": "rgb", "value": _linear(albedo)} if isinstance(albedo, tuple) else _bitmap(albedo, False)
    rough = material.rough if isinstance(material.rough, float) else _bitmap(material.rough, True)
    out: dict[str, Any] = {
        "type": "principled",
        "base_color": base,
        "roughness": rough,
        "specular": material.specular,
    }
    if material.metallic:
        out["metallic"] = material.metallic
    if material.normal is not None:
        out = {"type": "normalmap", "normalmap": _bitmap(material.normal, True), "bsdf": out}
    return {"type": "twosided", "bsdf": out}


def _shape(mesh: Mesh, bsdf: Any) -> Any:
    props = mi.Properties()
    props["mesh_bsdf"] = bsdf
    out = mi.Mesh(
        "mesh",
        len(mesh.points),
        len(mesh.faces),
        has_vertex_normals=True,
        has_vertex_texcoords=True,
        props=props,
    )
    values = mi.traverse(out)
    values["vertex_positions"] = mesh.points.astype(np.float32).ravel()
    values["vertex_normals"] = mesh.normals.astype(np.float32).ravel()
    # Mitsuba counts v from an image's upper edge.
    values["vertex_texcoords"] = (mesh.uv * (1, -1) + (0, 1)).astype(np.float32).ravel()
    values["faces"] = mesh.faces.astype(np.uint32).ravel()
    values.update()
    return out


def _emitter(light: Light) -> dict[str, Any]:
    to = mi.ScalarTransform4f
    if light.kind == "probe":
        bitmap = _probe(light.probe)
        return {
            "type": "envmap",
            "bitmap": bitmap,
            "scale": light.strength,
            "to_world": to().rotate([0, 0, 1], float(np.degrees(light.turn))).rotate([1, 0, 0], 90),
        }
    radiance = [light.radiance() * c for c in light.colour]
    if light.kind == "sphere":
        glow = {"type": "area", "radiance": {"type": "rgb", "value": radiance}}
        return {"type": "sphere", "center": list(light.centre), "radius": light.size[0], "emitter": glow}
    value: dict[str, Any] = {"type": "rgb", "value": radiance}
    if light.bars:
        pane = np.ones((64, 64, 3), np.float32) * np.array(radiance, np.float32)
        pane[:, 30:34] = pane[30:33] = 0.02
        value = {"type": "bitmap", "bitmap": mi.Bitmap(pane), "raw": True, "filter_type": "nearest"}
    up = [0, 0, 1] if abs(light.centre[0]) + abs(light.centre[1]) > 1 else [0, 1, 0]
    turn = to().look_at(list(light.centre), [0, 0, 0], up).scale([light.size[0] / 2, light.size[1] / 2, 1])
    return {"type": "rectangle", "to_world": turn, "emitter": {"type": "area", "radiance": value}}


def _probe(name: str) -> Any:
    """A light probe, its mean luminance 1, capped so that its sun makes no fireflies."""
    stream = mi.MemoryStream()
    stream.write(assets.probe(name))
    stream.seek(0)
    values = np.array(mi.Bitmap(stream).convert(mi.Bitmap.PixelFormat.RGB, mi.Struct.Type.Float32))
    values = np.nan_to_num(values, posinf=1e4)
    values = np.minimum(values, 60 * values.mean())
    return mi.Bitmap(np.ascontiguousarray(values / values.mean(), dtype=np.float32))


class Tracer:
    """One scene, loaded into the renderer."""

    def __init__(self, scene: Scene) -> None:
        """Load ``scene``."""
        camera = scene.camera
        self._size = (camera.height, camera.width)
        forward, down = camera.axes[2], camera.axes[1]
        place = mi.ScalarTransform4f().look_at(
            list(camera.origin), list(camera.origin + forward * 100), [float(-c) for c in down]
        )
        angle = float(2 * np.degrees(np.arctan(camera.width / 2 / camera.focal)))
        world: dict[str, Any] = {
            "type": "scene",
            "integrator": {
                "type": "aov",
                "aovs": "albedo:albedo,nn:sh_normal",
                "img": {"type": "path", "max_depth": 5, "rr_depth": 3},
            },
            "sensor": {
                "type": "thinlens",
                "fov": angle,
                "fov_axis": "x",
                "to_world": place,
                "near_clip": 10.0,
                "far_clip": 1e5,
                "aperture_radius": camera.aperture,
                "focus_distance": camera.focus,
                "film": {
                    "type": "hdrfilm",
                    "width": camera.width,
                    "height": camera.height,
                    "rfilter": {"type": "box"},
                    "pixel_format": "rgb",
                    "component_format": "float32",
                },
                "sampler": {"type": "independent"},
            },
        }
        for i, (material, parts) in enumerate(shared_materials(scene.parts).items()):
            bsdf = mi.load_dict(_bsdf(material))
            world[f"mesh{i}"] = _shape(merge([p.mesh for p in parts]), bsdf)
        for i, light in enumerate(scene.lights):
            world[f"light{i}"] = _emitter(light)
        self._world = mi.load_dict(world)

    def render(self, passes: int, seed: int) -> NDArray[np.float32]:
        """Return the picture, linear and free of noise; each pass takes 4 samples a pixel."""
        total: NDArray[np.float32] | None = None
        for i in range(passes):
            image = np.array(mi.render(self._world, spp=4, seed=mi.UInt32(seed * 64 + i)), dtype=np.float32)
            # One sample of a lamp's mirror image may outshine all else: the denoiser would smear it.
            image[..., :3] = np.minimum(image[..., :3], 40 * max(1e-6, float(np.median(image[..., :3]))))
            total = image if total is None else total + image
        assert total is not None
        mean = np.nan_to_num(total / passes)
        colour, albedo, normal = (np.ascontiguousarray(mean[..., i : i + 3]) for i in (0, 3, 6))
        return np.asarray(
            pyoidn.denoise(np.maximum(colour, 0), np.clip(albedo, 0, 1), np.clip(normal, -1, 1), hdr=True),
            np.float32,
        )

    def sees(self, points: Floats, eye: Floats) -> NDArray[np.bool_]:
        """Return for each of N x 3 points whether the straight line from ``eye`` to it is free."""
        way = eye - points
        away = np.linalg.norm(way, axis=1)
        start = mi.Point3f(*(mi.Float(points[:, i].astype(np.float32)) for i in range(3)))
        toward = mi.Vector3f(*(mi.Float((way[:, i] / away).astype(np.float32)) for i in range(3)))
        ray: Any = mi.Ray3f(start, toward)
        ray.maxt = mi.Float((away - 12).astype(np.float32))
        return ~np.array(self._world.ray_test(ray), dtype=bool)
