"""A certificate for this computer, made on it: the only place that knows the package ``cryptography``.

A phone lends its camera to a page only over HTTPS. Nobody vouches for this certificate, so browsers warn once.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from web.errors import StoreError

__all__ = ["certificate_for"]

_DAYS: Final = 397
_RENEW_DAYS: Final = 30


def certificate_for(names: Sequence[str], folder: Path) -> tuple[Path, Path]:
    """Return the files of certificate and key for ``names`` (host names or addresses), made where need be.

    Raises StoreError where they cannot be kept.
    """
    certificate, key = folder / "certificate.pem", folder / "certificate.key"
    if not _still_good(certificate, key, names):
        try:
            _make(names, certificate, key)
        except OSError as error:
            raise StoreError("store-unusable", path=str(folder), why=str(error)) from error
    return certificate, key


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _still_good(certificate: Path, key: Path, names: Sequence[str]) -> bool:
    try:
        found = x509.load_pem_x509_certificate(certificate.read_bytes())
        key.stat()
        listed = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, x509.ExtensionNotFound):
        return False
    lasts = found.not_valid_after_utc - datetime.now(UTC) > timedelta(days=_RENEW_DAYS)
    return lasts and {_general(name) for name in names} <= set(listed)


def _make(names: Sequence[str], certificate: Path, key: Path) -> None:
    private = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tileref on this computer")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=_DAYS))
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(private, hashes.SHA256())
    )
    secret = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    certificate.parent.mkdir(parents=True, exist_ok=True)
    part = key.with_suffix(".part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secret)
    part.replace(key)
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
