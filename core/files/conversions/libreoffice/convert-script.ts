/**
 * The program that drives one LibreOffice over UNO, run by a Python that has LibreOffice's `uno` module. It is a
 * text so that the bundled worker carries it. Arguments: path of soffice, profile folder, pipe name. It answers
 * `{"ready":true}` on standard output, then one line of JSON for each line of JSON on standard input:
 * `{input, output, filters, importFilter?}` (an `OfficeJob`) returns `{"ok":true}` or `{"error":"…","isBroken":bool}`.
 *
 * Macros never run, links are not updated, no question is asked. The end of standard input (our process has died) kills
 * the whole process group, even while a document is being converted.
 */
export const convertScript = String.raw`
import json, os, queue, shutil, signal, subprocess, sys, threading, time
import uno
from com.sun.star.beans import PropertyValue

KINDS = [
    ("com.sun.star.text.WebDocument", "web"),
    ("com.sun.star.text.GenericTextDocument", "text"),
    ("com.sun.star.sheet.SpreadsheetDocument", "sheet"),
    ("com.sun.star.presentation.PresentationDocument", "slides"),
    ("com.sun.star.drawing.DrawingDocument", "drawing"),
]
NEVER_EXECUTE_MACROS = 0
NEVER_UPDATE_LINKS = 0


def reply(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def read_requests(requests):
    for line in sys.stdin:
        requests.put(json.loads(line))
    os.killpg(0, signal.SIGKILL)


def start_office(soffice, profile, pipe):
    return subprocess.Popen(
        [soffice, "--headless", "--invisible", "--norestore", "--nologo", "--nodefault", "--nolockcheck",
         "--nofirststartwizard", "-env:UserInstallation=" + uno.systemPathToFileUrl(profile),
         "--accept=pipe,name=" + pipe + ";urp;StarOffice.ComponentContext"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def connect(office, pipe):
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
    while True:
        try:
            context = resolver.resolve("uno:pipe,name=" + pipe + ";urp;StarOffice.ComponentContext")
            return context.ServiceManager.createInstance("com.sun.star.frame.Desktop")
        except Exception:
            if office.poll() is not None:
                raise RuntimeError("LibreOffice ended while it started, exit code %s" % office.returncode)
            time.sleep(0.05)


def properties(**values):
    return tuple(PropertyValue(name, 0, value, 0) for name, value in values.items())


def load(desktop, request):
    options = {"Hidden": True, "ReadOnly": True, "MacroExecutionMode": NEVER_EXECUTE_MACROS,
               "UpdateDocMode": NEVER_UPDATE_LINKS}
    if request.get("importFilter"):
        options["FilterName"] = request["importFilter"]["filter"]
        options["FilterOptions"] = request["importFilter"]["options"]
    url = uno.systemPathToFileUrl(request["input"])
    document = desktop.loadComponentFromURL(url, "_blank", 0, properties(**options))
    if document is None:
        raise ValueError("LibreOffice cannot read the file")
    return document


def kind_of(document):
    for service, kind in KINDS:
        if document.supportsService(service):
            return kind
    return "other"


def store(document, path, export, options):
    values = {"FilterName": export["filter"]}
    if options:
        values["FilterOptions"] = options
    document.storeToURL(uno.systemPathToFileUrl(path), properties(**values))


def store_sheets(document, path, export):
    with open(path, "wb") as whole:
        for number in range(1, document.Sheets.Count + 1):
            # The file that is written has the name of the sheet, whatever that is, added to its own.
            folder = "%s.%d" % (path, number)
            os.mkdir(folder)
            store(document, os.path.join(folder, "sheet"), export, export["options"].replace("{sheet}", str(number)))
            for name in os.listdir(folder):
                with open(os.path.join(folder, name), "rb") as sheet:
                    shutil.copyfileobj(sheet, whole)


def convert(desktop, request):
    document = load(desktop, request)
    try:
        kind = kind_of(document)
        export = request["filters"].get(kind)
        if export is None:
            raise ValueError("LibreOffice cannot write a document of kind '%s' in this format" % kind)
        if export.get("isPerSheet"):
            store_sheets(document, request["output"], export)
        else:
            store(document, request["output"], export, export.get("options", ""))
    finally:
        document.close(True)


def has_ended(error, office):
    return "DisposedException" in type(error).__name__ or office.poll() is not None


def answer(desktop, office, request):
    try:
        convert(desktop, request)
        return {"ok": True}
    except ValueError as error:
        return {"error": str(error), "isBroken": False}
    except Exception as error:
        message = getattr(error, "Message", None) or str(error) or type(error).__name__
        return {"error": message, "isBroken": has_ended(error, office)}


def main():
    requests = queue.Queue()
    threading.Thread(target=read_requests, args=(requests,), daemon=True).start()
    office = start_office(*sys.argv[1:4])
    desktop = connect(office, sys.argv[3])
    reply({"ready": True})
    while True:
        reply(answer(desktop, office, requests.get()))


main()
`
