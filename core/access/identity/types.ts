import type { Properties } from '../../model/properties/index.js'
import type { CoreEvent } from '../../platform/events/index.js'
import type { PasswordPolicy } from './login/password-policy.js'

/** A user as stored; the password's hash stays inside this module. */
export type User = {
  username: string
  passwordHash: string | null
  firstName: string | null
  lastName: string | null
  email: string | null
  company: string | null
  isEnabled: boolean
  /** Values of further fields of the schema `user`, by bare name. */
  properties?: Properties
}

export type UserChange = Partial<Omit<User, 'username'>>

export type Group = {
  groupname: string
  label: string | null
  description: string | null
  /** Values of further fields of the schema `group`, by bare name. */
  properties?: Properties
}

export type GroupChange = Partial<Omit<Group, 'groupname'>>

export type MemberKind = 'user' | 'group'

/** One row of who belongs to a group. */
export type Membership = { groupname: string; member: string; kind: MemberKind }

export type SubstringMatch = 'subinitial' | 'subfinal' | 'subany'

/** A condition on one field of the entity, by the name that the field has on the wire. */
export type FieldMatch = {
  field: string
  value: string
  match: 'equal' | 'equalIgnoringCase' | SubstringMatch
}

export type IdentitySearch = {
  /** One of these at least must hold; all are found without them. */
  anyOf?: readonly FieldMatch[]
  /** Each of these must hold. */
  allOf?: readonly FieldMatch[]
  /** Field to sort by; the name when absent, and among equals. */
  sortField?: string
  /** No limit when absent. */
  limit?: number
  offset?: number
}

export type Found<Entity> = { entries: Entity[]; total: number }

/** The contract of the store of users. */
export type UserStore = {
  user(username: string): Promise<User | undefined>
  /** Users in the order of the names; unknown names are left out. */
  users(usernames: readonly string[]): Promise<User[]>
  searchUsers(search: IdentitySearch): Promise<Found<User>>
  /** Adds a user; false when the name is taken. */
  insertUser(user: User): Promise<boolean>
  /** False when there is no such user. */
  updateUser(username: string, change: UserChange): Promise<boolean>
  setPasswordHash(username: string, hash: string): Promise<void>
  /** Stores a better hash of the same password, unless the password was changed meanwhile. */
  replacePasswordHash(username: string, hashes: { from: string; to: string }): Promise<void>
  /** Removes a user with its memberships; false when there is no such user. */
  removeUser(username: string): Promise<boolean>
}

/** The contract of the store of groups, without who belongs to them. */
export type GroupStore = {
  group(groupname: string): Promise<Group | undefined>
  /** Groups in the order of the names; unknown names are left out. */
  groups(groupnames: readonly string[]): Promise<Group[]>
  searchGroups(search: IdentitySearch): Promise<Found<Group>>
  /** Adds a group; false when the name is taken. */
  insertGroup(group: Group): Promise<boolean>
  /** False when there is no such group. */
  updateGroup(groupname: string, change: GroupChange): Promise<boolean>
  /** Removes a group with its memberships in both directions; false when there is no such group. */
  removeGroup(groupname: string): Promise<boolean>
}

/** The contract of the store of who belongs to what. */
export type MembershipStore = {
  /** The groups that name a user as a member. */
  directGroupsOf(username: string): Promise<string[]>
  /** All groups of a user, those that contain its groups included. */
  groupsOf(username: string): Promise<string[]>
  /** Groups that a group belongs to, directly. */
  parentGroupsOf(groupname: string): Promise<string[]>
  /** A group and all that contain it, directly or not. */
  withAncestors(groupnames: readonly string[]): Promise<string[]>
  /** Direct memberships of several groups, in both directions. */
  memberships(groupnames: readonly string[]): Promise<Membership[]>
  /** The groups of several users, each user's own alone. */
  membershipsOfUsers(usernames: readonly string[]): Promise<Membership[]>
  /** All groups of several users, inherited ones included. */
  allMembershipsOfUsers(
    usernames: readonly string[],
  ): Promise<{ member: string; groupname: string; isOwn: boolean }[]>
  /** A page of the direct members of a group, by name. */
  members(
    groupname: string,
    kind: MemberKind,
    page?: { text?: string; limit?: number; offset?: number },
  ): Promise<Found<string>>
  /** Enabled users who belong to one of the groups, directly or through other groups. */
  allMembers(groupnames: readonly string[]): Promise<string[]>
  addMember(groupname: string, member: string, kind: MemberKind): Promise<void>
  removeMember(groupname: string, member: string, kind: MemberKind): Promise<void>
  /** Makes these the direct members of a kind, and no others. */
  setMembers(groupname: string, kind: MemberKind, members: readonly string[]): Promise<void>
  /** Makes these the groups that name somebody as a direct member, and no others. */
  setMemberOf(member: string, kind: MemberKind, groupnames: readonly string[]): Promise<void>
  /** Until the end of the transaction, nobody else changes who belongs to what. */
  lockMemberships(): Promise<void>
}

/**
 * The contract of what keeps users and groups, together in one transaction. Its callers in this module decide who may do
 * what.
 */
export type IdentityStore = UserStore &
  GroupStore &
  MembershipStore & {
    /** Writes events to the outbox of the main database, which users and groups belong to. */
    emit(by: string, events: readonly CoreEvent[]): Promise<void>
    /** Runs work in one transaction of the main database: in the one that this store is bound to, if any. */
    atomically<Result>(work: (store: IdentityStore) => Promise<Result>): Promise<Result>
  }

/** Users and groups of a unit of work: where they are kept, and by which rules they are managed. */
export type Identities = IdentityStore & {
  readonly rules: UserManagement
  readonly passwords: PasswordPolicy
}

/** The settings of user management (reference: security.md §8, user manager). */
export type UserManagement = {
  /** Every user is a member of it without being listed; null when there is none. */
  defaultGroup: string | null
  /** Users who may do everything whatever their groups. */
  defaultAdministrators: readonly string[]
  /** Groups whose members may do everything. */
  administratorGroups: readonly string[]
  /** What a new password must match somewhere; any will do when absent. */
  passwordPattern?: string
  users: EntityListing
  groups: EntityListing
}

export type EntityListing = {
  sortField: string
  /** `all` answers a search for nothing with everything, the others with nothing. */
  listingMode: 'all' | 'tabbed' | 'search_only'
  /** Fields that a search looks at. */
  searchFields: { substring: readonly string[]; exact: readonly string[] }
  /** How a text must match the `substring` fields. */
  substringMatch: SubstringMatch
}
