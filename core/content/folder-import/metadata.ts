import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { coerceText, createPropertyChanges, type Properties } from '../../model/properties/index.js'
import { fail, isArchivoltError } from '../../platform/errors/index.js'
import type { Session } from '../documents/index.js'
import { withServerFile } from './read-file.js'

/** A file of this name says properties of what is in its folder, and is no document itself. */
export const METADATA_FILE = 'metadata.properties'

export type Metadata = { readonly [xpath: string]: string }

const ESCAPES: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r', f: '\f' }

const unescaped = (text: string): string =>
  text.replaceAll(/\\(u[0-9a-fA-F]{4}|.)/g, (_, escaped: string) =>
    escaped.length > 1
      ? String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
      : (ESCAPES[escaped] ?? escaped),
  )

/** A key is an xpath, which has colons: only `=` ends it. */
const LINE = /^((?:\\.|[^=\\])*)=(.*)$/s

/** Reads properties as Java writes them: `key=value` lines, `#` before comments, a `\` at the end of one that goes on. */
export const parseMetadata = (text: string): Metadata => {
  const lines = text.replaceAll(/\\\r?\n[ \t]*/g, '').split(/\r?\n/)
  const found: { [xpath: string]: string } = {}
  for (const line of lines.map((each) => each.trimStart())) {
    const [, key, value] = (!/^[#!]/.test(line) && LINE.exec(line)) || []
    if (key !== undefined && value !== undefined) found[unescaped(key.trim())] = unescaped(value.trim())
  }
  return found
}

/** Bytes of one file of properties. */
const MAX_BYTES = 1024 ** 2

const readSmall = async (file: FileHandle): Promise<string> => {
  const { size } = await file.stat()
  if (size > MAX_BYTES) throw fail('tooLarge', `${METADATA_FILE} has ${size} bytes, of ${MAX_BYTES} at most`)
  return file.readFile('utf8')
}

/** What the folders of an import say of what is in them: that of a folder adds to those above it, or takes their place. */
export const createMetadata = (root: string): ((folder: string) => Promise<Metadata>) => {
  const known = new Map<string, Promise<Metadata>>()
  const own = async (folder: string): Promise<Metadata> => {
    try {
      return parseMetadata(await withServerFile(join(root, folder, METADATA_FILE), readSmall))
    } catch (error) {
      if (isArchivoltError(error) && (error.cause as NodeJS.ErrnoException)?.code === 'ENOENT') return {}
      throw error
    }
  }
  const of = (folder: string): Promise<Metadata> => {
    const cached = known.get(folder)
    if (cached) return cached
    const above = folder === '' ? undefined : folder.split('/').slice(0, -1).join('/')
    const made = (async () => ({ ...(above === undefined ? {} : await of(above)), ...(await own(folder)) }))()
    known.set(folder, made)
    return made
  }
  return of
}

/** `a||b` and `a|b` are lists. */
const itemsOf = (text: string): string[] => text.split(text.includes('||') ? '||' : '|')

const escapedComma = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll(',', '\\,')

/** Puts texts at their xpaths, as the fields of a type want them; what does not fit is left out. */
export const withTexts = async (
  { model }: Pick<Session, 'model'>,
  type: string,
  { texts, given, warn }: { texts: Metadata; given: Properties; warn: (message: string) => void },
): Promise<Properties> => {
  const own = new Set(model.schemasOf(type, []).map(({ name }) => name))
  const { changes, set } = createPropertyChanges(given, model)
  for (const [name, text] of Object.entries(texts)) {
    const resolved = model.resolve(name)
    if (!resolved || !own.has(resolved.schema.name)) {
      warn(`a ${type} has no property ${name}, which is left out`)
      continue
    }
    const { field, xpath } = resolved
    try {
      const written = field.isList ? itemsOf(text).map(escapedComma).join(',') : text
      set(xpath, await coerceText(written, { field, xpath }))
    } catch (error) {
      if (!isArchivoltError(error) || error.retryable) throw error
      warn(`${error.message}; the value is left out`)
    }
  }
  return { ...given, ...changes }
}
