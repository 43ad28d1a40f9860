/** A user as stored; the password's hash stays inside the store's callers in this room. */
export type User = {
  username: string
  passwordHash: string | null
  firstName: string | null
  lastName: string | null
  email: string | null
  company: string | null
  isEnabled: boolean
}

export type Group = { groupname: string; label: string | null; description: string | null }

/** The contract of where users and groups are kept. */
export type IdentityStore = {
  user(username: string): Promise<User | undefined>
  /** The groups that name a user as a member. */
  directGroupsOf(username: string): Promise<string[]>
  /** All groups of a user, those that contain its groups included. */
  groupsOf(username: string): Promise<string[]>
  /** Adds a user; false when the name is taken. */
  insertUser(user: User): Promise<boolean>
  setPasswordHash(username: string, hash: string): Promise<void>
  /** Adds a group; false when the name is taken. */
  insertGroup(group: Group): Promise<boolean>
  addMember(groupname: string, member: string, kind: 'user' | 'group'): Promise<void>
  group(groupname: string): Promise<Group | undefined>
}
