import { z } from 'zod'
import { inPath, JSON_TYPE, json, nothing, type RouteDoc } from '../openapi/index.js'
import {
  directoriesEntity,
  directoriesQuery,
  directoryEntries,
  directoryEntry,
  entryRendering,
  entryRequest,
  listQuery,
} from './directories.schema.js'

const tag = 'directories'

const inDirectory = inPath({ directory: 'Name of the directory' })
const entryPath = z.object({
  ...inDirectory.shape,
  ...inPath({ entry: 'Id of the entry, its slashes as they are' }).shape,
})

/** Directories and their entries (rest-documents.md §10). */
export const directoryDocs: readonly RouteDoc[] = [
  {
    method: 'GET',
    path: '/directory',
    operationId: 'listDirectories',
    summary: 'The directories that are not the system’s',
    tag,
    parameters: { query: directoriesQuery },
    responses: { 200: json('The directories, by name', directoriesEntity) },
  },
  {
    method: 'GET',
    path: '/directory/{directory}',
    operationId: 'listEntries',
    summary: 'The entries of a directory',
    tag,
    parameters: { path: inDirectory, query: z.object({ ...listQuery.shape, ...entryRendering.shape }) },
    responses: { 200: json('A page of entries', directoryEntries) },
  },
  {
    method: 'POST',
    path: '/directory/{directory}',
    operationId: 'createEntry',
    summary: 'Adds an entry',
    tag,
    parameters: { path: inDirectory, query: entryRendering },
    body: { [JSON_TYPE]: entryRequest },
    responses: { 201: json('The new entry', directoryEntry) },
  },
  {
    method: 'GET',
    path: '/directory/{directory}/{entry}',
    operationId: 'getEntry',
    summary: 'Reads an entry',
    tag,
    parameters: { path: entryPath, query: entryRendering },
    responses: { 200: json('The entry', directoryEntry) },
  },
  {
    method: 'PUT',
    path: '/directory/{directory}/{entry}',
    operationId: 'updateEntry',
    summary: 'Changes an entry',
    tag,
    parameters: { path: entryPath, query: entryRendering },
    body: { [JSON_TYPE]: entryRequest },
    responses: { 200: json('The entry', directoryEntry) },
  },
  {
    method: 'DELETE',
    path: '/directory/{directory}/{entry}',
    operationId: 'deleteEntry',
    summary: 'Removes an entry',
    tag,
    parameters: { path: entryPath },
    responses: { 204: nothing('It is removed') },
  },
]
