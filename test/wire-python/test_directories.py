from nuxeo.models import DirectoryEntry

from support import WireTest, unique


class Directories(WireTest):
    def test_entries(self):
        continents = self.server.directories.get("continent", pageSize=100)
        self.assertIn("europe", [entry.uid for entry in continents.entries])
        self.assertEqual(self.server.directories.get("continent", "europe").directoryName, "continent")
        self.assertTrue(continents.exists("africa"))

    def test_life_of_an_entry(self):
        nature = self.server.directories.get("nature")
        uid = unique("nature")
        entry = nature.create(DirectoryEntry(properties={"id": uid, "label": "New"}))
        self.assertEqual(entry.properties["label"], "New")
        entry.properties["label"] = "Changed"
        entry.save()
        self.assertEqual(nature.get(uid).properties["label"], "Changed")
        entry.delete()
        self.assertFalse(nature.exists(uid))

    def test_refusals(self):
        self.assertRefused(404, self.server.directories.get, "nonesuch")
        self.assertRefused(404, self.server.directories.get, "continent", "atlantis")
        duplicate = DirectoryEntry(properties={"id": "europe", "label": "Again"})
        self.assertRefused(409, self.server.directories.create, duplicate, dir_name="continent")
        _, client = self.new_user()
        entry = DirectoryEntry(properties={"id": unique("x"), "label": "No"})
        self.assertRefused(403, client.directories.create, entry, dir_name="nature")
