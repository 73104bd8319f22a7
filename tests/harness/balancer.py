"""HAProxy before daemons of a test, with deploy/ha/haproxy.cfg."""
import os

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "deploy",
                     "ha")


def fill(folder, listen, ports):
    """The path of the file, filled in: where HAProxy listens ("ADDRESS:PORT" and
    options), and the ports of the daemons."""
    with open(os.path.join(FILES, "haproxy.cfg"), encoding="utf-8") as file:
        text = "".join(line for line in file if not line.startswith("#"))
    for name, value in {
            "LISTEN": listen, "ERRORS": FILES, "USER": "",
            "DAEMONS": "\n".join(f"    server gangd{number} 127.0.0.1:{port}"
                                 for number, port in enumerate(ports, 1))}.items():
        text = text.replace(f"@{name}@", value)
    path = os.path.join(folder, "haproxy.cfg")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path
