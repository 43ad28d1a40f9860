from nuxeo.models import Group, User

from support import PASSWORD, WireTest, client_of, unique


class Users(WireTest):
    def new(self, **properties):
        username = unique("person")
        user = self.server.users.create(
            User(properties={"username": username, "password": PASSWORD, **properties})
        )
        self.addCleanup(lambda: self.server.users.exists(username) and self.server.users.delete(username))
        return user

    def test_create_and_get(self):
        user = self.new(firstName="Ann", lastName="Lee", email="ann@example.org")
        found = self.server.users.get(user.uid)
        self.assertEqual(found.properties["firstName"], "Ann")
        self.assertFalse(found.isAdministrator)
        self.assertNotIn(PASSWORD, str(found.properties))

    def test_current_user(self):
        user = self.new()
        self.assertEqual(client_of(user.uid, PASSWORD).users.current_user().uid, user.uid)

    def test_update_and_password(self):
        user = self.new()
        user.properties["lastName"] = "Changed"
        user.save()
        user.change_password("another-password")
        self.assertEqual(client_of(user.uid, "another-password").users.current_user().uid, user.uid)
        self.assertEqual(self.server.users.get(user.uid).properties["lastName"], "Changed")

    def test_delete(self):
        user = self.new()
        user.delete()
        self.assertFalse(self.server.users.exists(user.uid))

    def test_refusals(self):
        user = self.new()
        self.assertRefused(409, self.server.users.create, User(properties={"username": user.uid}))
        self.assertRefused(404, self.server.users.get, "nonesuch")
        plain = client_of(user.uid, PASSWORD)
        self.assertRefused(403, plain.users.create, User(properties={"username": unique("x")}))


class Groups(WireTest):
    def test_life_of_a_group(self):
        member, _ = self.new_user()
        name = unique("group")
        group = self.server.groups.create(
            Group(groupname=name, grouplabel="A group", memberUsers=[member])
        )
        self.assertEqual(group.memberUsers, [member])
        group.grouplabel = "Renamed"
        group.memberGroups = []
        group.save()
        found = self.server.groups.get(name)
        self.assertEqual((found.grouplabel, found.memberUsers), ("Renamed", [member]))
        self.assertIn(name, self.server.users.get(member).properties["groups"])
        group.delete()
        self.assertFalse(self.server.groups.exists(name))

    def test_refusals(self):
        self.assertRefused(404, self.server.groups.get, "nonesuch")
        self.assertRefused(409, self.server.groups.create, Group(groupname="members"))
