from support import WireTest, client_of


class Security(WireTest):
    def test_permissions_come_and_go(self):
        document = self.new_document()
        username, client = self.new_user()
        self.assertTrue(client.documents.has_permission(document.uid, "Read"))
        self.assertFalse(client.documents.has_permission(document.uid, "WriteProperties"))
        document.add_permission({"username": username, "permission": "ReadWrite"})
        self.assertTrue(client.documents.has_permission(document.uid, "WriteProperties"))
        document.remove_permission({"user": username})
        self.assertFalse(client.documents.has_permission(document.uid, "WriteProperties"))

    def test_acls(self):
        document = self.new_document()
        username, _ = self.new_user()
        document.add_permission(
            {"username": username, "permission": "Read", "end": "2030-01-01T00:00:00Z"}
        )
        local = next(acl for acl in document.fetch_acls() if acl["name"] == "local")
        ace = next(ace for ace in local["aces"] if ace["username"] == username)
        self.assertEqual(ace["status"], "effective")
        self.assertTrue(ace["granted"])

    def test_blocked_inheritance_hides(self):
        document = self.new_document()
        _, client = self.new_user()
        self.server.operations.execute(
            command="Document.BlockPermissionInheritance", input_obj=document.uid
        )
        self.assertRefused(404, client.documents.get, uid=document.uid)
        found = client.client.query(f"SELECT * FROM Document WHERE ecm:uuid = '{document.uid}'")
        self.assertEqual(found["entries"], [])
        self.server.operations.execute(
            command="Document.UnblockPermissionInheritance", input_obj=document.uid
        )
        self.assertTrue(client.documents.exists(uid=document.uid))

    def test_wrong_password(self):
        username, _ = self.new_user()
        self.assertRefused(401, client_of(username, "wrong").documents.get, path="/")
