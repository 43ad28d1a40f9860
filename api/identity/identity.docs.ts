import { z } from 'zod'
import { inPath, JSON_TYPE, json, nothing, type RouteDoc } from '../openapi/index.js'
import {
  groupEntitySchema,
  groupRequest,
  groupsPage,
  identitySearch,
  passwordChange,
  userEntitySchema,
  userRequest,
  usersPage,
} from './identity.schema.js'

const user = inPath({ user: 'Name of the user' })
const group = inPath({ group: 'Name of the group, its slashes as they are' })
const both = z.object({ ...user.shape, ...group.shape })

const users = 'users'
const groups = 'groups'

const membership = (path: string, suffix: string): RouteDoc[] => [
  {
    method: 'POST',
    path,
    operationId: `addToGroup${suffix}`,
    summary: 'Adds a user to a group',
    tag: groups,
    parameters: { path: both },
    responses: { 201: json('The user', userEntitySchema) },
  },
  {
    method: 'DELETE',
    path,
    operationId: `removeFromGroup${suffix}`,
    summary: 'Takes a user out of a group',
    tag: groups,
    parameters: { path: both },
    responses: { 200: { description: 'The name of the user', content: { 'text/plain': z.string() } } },
  },
]

const userDocs: readonly RouteDoc[] = [
  {
    method: 'GET',
    path: '/me',
    operationId: 'getMe',
    summary: 'The caller',
    tag: users,
    responses: { 200: json('The user', userEntitySchema) },
  },
  {
    method: 'PUT',
    path: '/me/changepassword',
    operationId: 'changePassword',
    summary: 'Changes the caller’s password',
    tag: users,
    body: { [JSON_TYPE]: passwordChange },
    responses: { 200: json('The user', userEntitySchema) },
  },
  {
    method: 'GET',
    path: '/user/search',
    operationId: 'searchUsers',
    summary: 'Looks for users by name',
    tag: users,
    parameters: { query: identitySearch },
    responses: { 200: json('A page of users', usersPage) },
  },
  {
    method: 'POST',
    path: '/user',
    operationId: 'createUser',
    summary: 'Makes a user',
    tag: users,
    body: { [JSON_TYPE]: userRequest },
    responses: { 201: json('The new user', userEntitySchema) },
  },
  {
    method: 'GET',
    path: '/user/{user}',
    operationId: 'getUser',
    summary: 'Reads a user',
    tag: users,
    parameters: { path: user },
    responses: { 200: json('The user', userEntitySchema) },
  },
  {
    method: 'PUT',
    path: '/user/{user}',
    operationId: 'updateUser',
    summary: 'Changes the properties that are sent',
    tag: users,
    parameters: { path: user },
    body: { [JSON_TYPE]: userRequest },
    responses: { 200: json('The user', userEntitySchema) },
  },
  {
    method: 'DELETE',
    path: '/user/{user}',
    operationId: 'deleteUser',
    summary: 'Removes a user',
    tag: users,
    parameters: { path: user },
    responses: { 204: nothing('It is removed') },
  },
]

const groupDocs: readonly RouteDoc[] = [
  {
    method: 'GET',
    path: '/group/search',
    operationId: 'searchGroups',
    summary: 'Looks for groups by name and label',
    tag: groups,
    parameters: { query: identitySearch },
    responses: { 200: json('A page of groups', groupsPage) },
  },
  {
    method: 'POST',
    path: '/group',
    operationId: 'createGroup',
    summary: 'Makes a group',
    tag: groups,
    body: { [JSON_TYPE]: groupRequest },
    responses: { 201: json('The new group', groupEntitySchema) },
  },
  {
    method: 'GET',
    path: '/group/{group}',
    operationId: 'getGroup',
    summary: 'Reads a group',
    tag: groups,
    parameters: { path: group },
    responses: { 200: json('The group', groupEntitySchema) },
  },
  {
    method: 'PUT',
    path: '/group/{group}',
    operationId: 'updateGroup',
    summary: 'Changes what is sent; a list of members takes the place of the one that there was',
    tag: groups,
    parameters: { path: group },
    body: { [JSON_TYPE]: groupRequest },
    responses: { 200: json('The group', groupEntitySchema) },
  },
  {
    method: 'DELETE',
    path: '/group/{group}',
    operationId: 'deleteGroup',
    summary: 'Removes a group',
    tag: groups,
    parameters: { path: group },
    responses: { 204: nothing('It is removed') },
  },
  {
    method: 'GET',
    path: '/group/{group}/@users',
    operationId: 'listMemberUsers',
    summary: 'Users in a group',
    tag: groups,
    parameters: { path: group, query: identitySearch },
    responses: { 200: json('A page of users', usersPage) },
  },
  {
    method: 'GET',
    path: '/group/{group}/@groups',
    operationId: 'listMemberGroups',
    summary: 'Groups in a group',
    tag: groups,
    parameters: { path: group, query: identitySearch },
    responses: { 200: json('A page of groups', groupsPage) },
  },
]

/** Users and groups (rest-documents.md §10). */
export const identityDocs: readonly RouteDoc[] = [
  ...userDocs,
  ...groupDocs,
  ...membership('/user/{user}/group/{group}', ''),
  ...membership('/group/{group}/user/{user}', 'OfGroup'),
]
