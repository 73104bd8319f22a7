"""An authority that signs certificates of servers and clients, for a test."""
import os
import subprocess


class Authority:
    """Makes certificates in a folder."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.openssl("req", "-x509", "-nodes", "-keyout", self.path("key"),
                     "-out", self.path("crt"), "-subj", "/CN=" + name,
                     *self.new_key())

    def path(self, end, name=None):
        return f"{self.folder}/{name or self.name}.{end}"

    @staticmethod
    def new_key():
        return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-days", "2"]

    @staticmethod
    def openssl(*words):
        subprocess.run(["openssl", *words], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def sign(self, file, subject, password=None):
        """A key and a certificate for a host or role, FILE.key, FILE.crt."""
        secret = ["-passout", "pass:" + password] if password else ["-nodes"]
        self.openssl("req", "-keyout", self.path("key", file), "-out",
                     self.path("csr", file), "-subj", "/CN=" + subject,
                     *secret, "-addext", "subjectAltName=DNS:" + subject,
                     *self.new_key()[:-2])
        self.openssl("x509", "-req", "-in", self.path("csr", file), "-CA",
                     self.path("crt"), "-CAkey", self.path("key"),
                     "-CAcreateserial", "-days", "2", "-copy_extensions",
                     "copy", "-out", self.path("crt", file))
        os.chmod(self.path("key", file), 0o600)
