from nuxeo.models import Document

from support import WireTest, unique


class Documents(WireTest):
    def test_create_get_by_id_and_path(self):
        document = self.new_document(**{"dc:description": "First"})
        self.assertEqual(self.server.documents.get(uid=document.uid).title, document.title)
        by_path = self.server.documents.get(path=document.path)
        self.assertEqual(by_path.uid, document.uid)
        self.assertEqual(by_path.get("dc:description"), "First")

    def test_create_by_parent_id(self):
        document = Document(name=unique("by-id"), type="Note", properties={"dc:title": "By id"})
        created = self.server.documents.create(document, parent_id=self.workspace.uid)
        self.assertEqual(created.parentRef, self.workspace.uid)

    def test_names_that_need_escaping(self):
        document = Document(name="été & co #1+2.txt", type="File", properties={"dc:title": "é"})
        created = self.server.documents.create(document, parent_path=self.workspace.path)
        self.assertEqual(self.server.documents.get(uid=created.uid).path, created.path)

    def test_update_and_reload(self):
        document = self.new_document()
        stale = self.server.documents.get(uid=document.uid)
        document.set({"dc:title": "Changed", "dc:subjects": ["art", "sciences"]})
        document.save()
        stale.load()
        self.assertEqual(stale.title, "Changed")
        self.assertEqual(stale.get("dc:subjects"), ["art", "sciences"])

    def test_exists_and_delete(self):
        document = self.new_document()
        self.assertTrue(self.server.documents.exists(path=document.path))
        document.delete()
        self.assertFalse(self.server.documents.exists(uid=document.uid))
        self.assertRefused(404, self.server.documents.get, uid=document.uid)

    def test_children(self):
        folder = self.new_document(type="Folder")
        names = {self.new_document(parent=folder).uid for _ in range(3)}
        children = self.server.documents.get_children(path=folder.path, enrichers=["permissions"])
        self.assertEqual({child.uid for child in children}, names)
        self.assertIn("Everything", children[0].contextParameters["permissions"])

    def test_move_and_rename(self):
        folder = self.new_document(type="Folder")
        document = self.new_document()
        document.move(folder.path, "renamed")
        self.assertEqual(self.server.documents.get(uid=document.uid).path, f"{folder.path}/renamed")

    def test_lock_and_unlock(self):
        document = self.new_document()
        self.assertFalse(document.is_locked())
        document.lock()
        self.assertEqual(document.fetch_lock_status()["lockOwner"], "Administrator")
        document.unlock()
        self.assertFalse(document.is_locked())

    def test_transition(self):
        document = self.new_document()
        document.follow_transition("approve")
        self.assertEqual(self.server.documents.get(uid=document.uid).state, "approved")

    def test_trash_and_untrash(self):
        document = self.new_document()
        document.trash()
        self.assertTrue(self.server.documents.get(uid=document.uid).isTrashed)
        document.untrash()
        self.assertFalse(self.server.documents.get(uid=document.uid).isTrashed)
        self.assertEqual(self.server.documents.get(uid=document.uid).path, document.path)

    def test_blob(self):
        blob = {"name": "hello.txt", "mime-type": "text/plain", "content": "Hello"}
        document = self.new_document(**{"file:content": blob})
        self.assertEqual(document.fetch_blob(), b"Hello")
        self.assertEqual(document.fetch_blob("file:content"), b"Hello")

    def test_renditions(self):
        blob = {"name": "hello.txt", "mime-type": "text/plain", "content": "Hello"}
        document = self.new_document(**{"file:content": blob})
        self.assertIn("mainBlob", document.fetch_renditions())
        self.assertEqual(document.fetch_rendition("mainBlob"), b"Hello")
        self.assertTrue(document.fetch_rendition("pdf").startswith(b"%PDF"))
        self.assertRefused(404, document.fetch_rendition, "nonesuch")

    def test_convert(self):
        blob = {"name": "hello.txt", "mime-type": "text/plain", "content": "Hello"}
        document = self.new_document(**{"file:content": blob})
        self.assertIn(b"Hello", document.convert({"format": "html"}))

    def test_versions(self):
        document = self.new_document()
        version = self.server.operations.execute(
            command="Document.CreateVersion", input_obj=document.uid, params={"increment": "Major"}
        )
        self.assertEqual(self.server.documents.get(uid=document.uid).isCheckedOut, False)
        versions = self.server.operations.execute(
            command="Document.GetVersions", input_obj=document.uid
        )
        self.assertEqual(len(versions["entries"]), 1)
        self.assertTrue(versions["entries"][0]["isVersion"])
        self.assertIsNotNone(version)

    def test_other_repository_is_unknown(self):
        self.server.client.set(repository="nonesuch")
        self.addCleanup(self.server.client.set, repository="default")
        self.assertRefused(404, self.server.documents.get, path="/")

    def test_refusals(self):
        self.assertRefused(400, self.server.documents.create, Document(name="a", type="Nonesuch"), parent_path="/")
        self.assertRefused(404, self.server.documents.get, path="/nowhere")
