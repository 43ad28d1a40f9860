"""A plain loop that feeds warm LibreOffice instances: each takes the next file, opens it, and writes its PDF.

Run by a Python that has LibreOffice's `uno`. Arguments: soffice, number of instances, a folder for profiles. It prints
`ready`, then for each line of standard input, a folder, it converts the files in it and prints the seconds that it took.
"""
import os, queue, subprocess, sys, threading, time
import uno
from com.sun.star.beans import PropertyValue


def properties(**values):
    return tuple(PropertyValue(name, 0, value, 0) for name, value in values.items())


def connect(soffice, profile, pipe):
    subprocess.Popen([soffice, "--headless", "--invisible", "--norestore", "--nologo", "--nodefault",
                      "-env:UserInstallation=" + uno.systemPathToFileUrl(profile),
                      "--accept=pipe,name=" + pipe + ";urp;StarOffice.ComponentContext"])
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
    for _ in range(1200):
        try:
            context = resolver.resolve("uno:pipe,name=" + pipe + ";urp;StarOffice.ComponentContext")
            return context.ServiceManager.createInstance("com.sun.star.frame.Desktop")
        except Exception:
            time.sleep(0.05)
    raise RuntimeError("LibreOffice did not start")


def convert(desktop, path):
    document = desktop.loadComponentFromURL(uno.systemPathToFileUrl(path), "_blank", 0, properties(Hidden=True))
    document.storeToURL(uno.systemPathToFileUrl(path + ".pdf"), properties(FilterName="writer_pdf_Export"))
    document.close(True)


def feed(desktop, files):
    while True:
        try:
            convert(desktop, files.get_nowait())
        except queue.Empty:
            return


def measure(desktops, folder):
    files = queue.Queue()
    for name in os.listdir(folder):
        files.put(os.path.join(folder, name))
    started = time.monotonic()
    threads = [threading.Thread(target=feed, args=(desktop, files)) for desktop in desktops]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in os.listdir(folder):
        if name.endswith(".pdf"):
            os.remove(os.path.join(folder, name))
    return time.monotonic() - started


soffice, count, place = sys.argv[1], int(sys.argv[2]), sys.argv[3]
desktops = [connect(soffice, os.path.join(place, "profile-%d" % i), "bench-%d-%d" % (os.getpid(), i)) for i in range(count)]
print("ready", flush=True)
for line in sys.stdin:
    print(measure(desktops, line.strip()), flush=True)
os.killpg(0, 9)
