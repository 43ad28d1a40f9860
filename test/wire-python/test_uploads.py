import os
import tempfile

from nuxeo.models import BufferBlob, FileBlob

from support import WireTest

CHUNK = 100_000


class Uploads(WireTest):
    def new_file(self, size):
        handle, path = tempfile.mkstemp(suffix=".bin")
        self.addCleanup(os.remove, path)
        content = os.urandom(size)
        with os.fdopen(handle, "wb") as out:
            out.write(content)
        return path, content

    def content_of(self, document, xpath="file:content"):
        return self.server.documents.fetch_blob(document.uid, xpath=xpath)

    def test_handlers(self):
        self.assertEqual(self.server.uploads.handlers(), ["default"])
        self.assertFalse(self.server.uploads.has_s3())

    def test_attach(self):
        document = self.new_document()
        batch = self.server.uploads.batch()
        blob = batch.upload(BufferBlob(data="some text", name="é 1.txt", mimetype="text/plain"))
        self.assertEqual(blob.fileIdx, "0")
        self.assertEqual(batch.get(0).name, "é 1.txt")
        batch.attach(document.path)
        self.assertEqual(self.content_of(document), b"some text")
        self.assertRefused(404, batch.get, 0)

    def test_attach_several(self):
        document = self.new_document()
        batch = self.server.uploads.batch()
        for name in ("a", "b"):
            batch.upload(BufferBlob(data=name * 10, name=f"{name}.txt", mimetype="text/plain"))
        batch.attach(document.path)
        self.assertEqual(self.content_of(document, "files:files/1/file"), b"bbbbbbbbbb")

    def test_chunks(self):
        document = self.new_document()
        path, content = self.new_file(5 * CHUNK + 7)
        batch = self.server.uploads.batch()
        seen = []
        uploader = batch.get_uploader(
            FileBlob(path), chunked=True, chunk_size=CHUNK, callback=lambda up: seen.append(len(up.blob.uploadedChunkIds))
        )
        uploader.upload()
        self.assertTrue(uploader.is_complete())
        self.assertEqual(seen, [1, 2, 3, 4, 5, 6])
        batch.attach(document.path, file_idx=0)
        self.assertEqual(self.content_of(document), content)

    def test_resume(self):
        document = self.new_document()
        path, content = self.new_file(4 * CHUNK)
        batch = self.server.uploads.batch()
        first = batch.get_uploader(FileBlob(path), chunked=True, chunk_size=CHUNK)
        uploads = first.iter_upload()
        next(uploads)
        next(uploads)
        uploads.close()
        again = batch.get_uploader(FileBlob(path), chunked=True, chunk_size=CHUNK)
        self.assertEqual(again.blob.uploadedChunkIds, [0, 1])
        again.upload()
        document.properties["file:content"] = again.blob.to_json() | {
            "upload-batch": batch.uid,
            "upload-fileId": "0",
        }
        document.save()
        self.assertEqual(self.content_of(document), content)

    def test_execute(self):
        batch = self.server.uploads.batch()
        batch.upload(BufferBlob(data="imported", name="imported.txt", mimetype="text/plain"))
        document = self.new_document()
        batch.execute("Blob.AttachOnDocument", file_idx=0, params={"document": document.path})
        self.assertEqual(self.content_of(document), b"imported")

    def test_cancel(self):
        batch = self.server.uploads.batch()
        batch.upload(BufferBlob(data="x", name="x.txt", mimetype="text/plain"))
        batch.delete(0)
        batch.cancel()
        self.assertIsNone(batch.uid)
