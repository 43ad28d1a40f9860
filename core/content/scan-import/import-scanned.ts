import { basename, join } from 'node:path'
import type { DocumentRecord, Properties } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { childPath, createDocument, documentName, getDocument, type Session } from '../documents/index.js'
import {
  type EntryOutcome,
  type FileReading,
  storeServerFile,
  withServerFile,
} from '../folder-import/index.js'
import { readXml, type XmlNode } from '../import/index.js'
import { saveDocument } from '../versioning/index.js'
import { mapDescriptor } from './map-descriptor.js'
import type { ScanConfig, ScanMapping } from './scan-points.js'

/** One scan of a deployment. @property startedAt ms since 1970: names a container of its own. */
export type Scan = { config: ScanConfig; mapping: ScanMapping; startedAt: number }

type Importing = {
  session: Session
  /** The folder that is scanned, with links followed. */
  root: string
  files: FileReading
  folders: readonly string[]
  warn: (message: string) => void
}

/** Bytes of one descriptor. */
const MAX_DESCRIPTOR = 8 * 1024 ** 2

const readDescriptor = (path: string): Promise<XmlNode> =>
  withServerFile(path, async (file) => {
    const { size } = await file.stat()
    if (size > MAX_DESCRIPTOR)
      throw fail('tooLarge', `the descriptor has ${size} bytes, of ${MAX_DESCRIPTOR} at most`)
    return readXml(basename(path), await file.readFile('utf8'))
  })

/** The names of the containers of what is in a folder of the scan. */
const containersOf = ({ config, startedAt }: Scan, root: string, folder: readonly string[]): string[] => {
  const isReused = config.update || config.mergeInitialFolder
  const name = isReused ? basename(root) : `${basename(root)}-${startedAt}`
  return [...(config.createInitialFolder ? [name] : []), ...folder]
}

/** The container at the end of some names, created where it is not there. */
const containerAt = async (
  session: Session,
  { targetPath, type }: { targetPath: string; type: string },
  names: readonly string[],
): Promise<DocumentRecord> => {
  let parent = await getDocument(session, targetPath)
  for (const title of names) {
    const name = documentName(title)
    const there = await session.stores.documents.get(childPath(parent.path ?? '', name))
    const properties = { 'dc:title': title }
    parent = there ?? (await createDocument(session, { parent, name, type, properties }))
  }
  return parent
}

const propertiesOf = async (
  { config, mapping }: Scan,
  { path, title }: { path: string; title: string },
  { session, files, folders, warn }: Importing,
): Promise<Properties> => {
  const given = { 'dc:title': title }
  if (!config.useXMLMapping) return { ...given, 'file:content': await storeServerFile(path, files) }
  return mapDescriptor(await readDescriptor(path), { mapping, given }, { session, files, folders, warn })
}

/**
 * Makes a document of a descriptor, or of a file where the deployment maps none (blobs-conversions.md §7, scan
 * importer).
 *
 * @param path relative to the folder that is scanned.
 * @throws badRequest for a descriptor that cannot be read, or has a text that is no number or date.
 */
export const importScanned = async (
  scan: Scan,
  path: string,
  importing: Importing,
): Promise<EntryOutcome> => {
  const { session, root } = importing
  const { config, mapping } = scan
  const places = path.split('/')
  const file = places.at(-1) ?? ''
  const title = config.useXMLMapping ? file.replace(/\.xml$/i, '') : file
  const properties = await propertiesOf(scan, { path: join(root, path), title }, importing)
  const target = { targetPath: config.targetPath, type: mapping.targetContainerType }
  const parent = await containerAt(session, target, containersOf(scan, root, places.slice(0, -1)))
  const there = await session.stores.documents.get(childPath(parent.path ?? '', documentName(title)))
  if (there && config.update) {
    await saveDocument(session, there, properties)
    return 'updated'
  }
  await createDocument(session, { parent, name: title, type: mapping.targetLeafType, properties })
  return 'created'
}
