import { z } from 'zod'
import type { BlobValue, PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { Bench } from '../../conversions/index.js'

/** What ExifTool says of a file, by tag; of the file itself, and of where it is, nothing. */
export type Tags = { [tag: string]: PropertyValue }

/** Of the copy that was read, not of the file. */
const OF_COPY =
  /^(?:SourceFile|ExifTool:.*|System:.*|File:(?:FileName|Directory|File.*Date|FilePermissions|FileSize))$/

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
const value: z.ZodType<PropertyValue> = z.lazy(() =>
  z.union([scalar, z.array(value), z.record(z.string(), value)]),
)
const schema = z.array(z.record(z.string(), value)).length(1)

/**
 * The metadata of a file of any kind.
 *
 * @param hasGroups whether a tag is named with its group, such as `EXIF:ISO`.
 */
export const readTags = async (
  bench: Pick<Bench, 'run'>,
  path: string,
  { hasGroups }: { hasGroups: boolean },
): Promise<Tags> => {
  const json = await bench.run('exiftool', ['-json', '-G', '-charset', 'utf8', '--', path], {
    exitCodes: [1],
  })
  const parsed = schema.safeParse(JSON.parse(json || '[]'))
  if (!parsed.success) throw fail('conversionFailed', 'The metadata of the file cannot be read')
  const tags = Object.entries(parsed.data[0] ?? {}).filter(([tag]) => !OF_COPY.test(tag))
  return Object.fromEntries(
    hasGroups ? tags : tags.map(([tag, of]) => [tag.slice(tag.indexOf(':') + 1), of] as const),
  )
}

const TAG = /^[A-Za-z][\w-]{0,99}(?::[A-Za-z][\w-]{0,99}){0,2}$/

/** Tags by which ExifTool names, places or reads other files, and options of it that are written like tags. */
const PLACES =
  /^(?:(?:all|add)?tagsfromfile|csv|j|json|file\w*|directory|hardlink|symlink|testname|geo(?:tag|time|sync|location|locate)|sourcefile|system|config)$/i

const MAX_VALUE = 10_000

const assignment = ([tag, given]: readonly [string, string]): string => {
  if (!TAG.test(tag) || tag.split(':').some((part) => PLACES.test(part)))
    throw fail('badRequest', `metadata: ${JSON.stringify(tag.slice(0, 100))} is no tag that can be written`)
  if (given.length > MAX_VALUE)
    throw fail('badRequest', `metadata: the value of ${tag} has more than ${MAX_VALUE} characters`)
  return `-${tag}=${given.replaceAll('\0', '')}`
}

/**
 * A copy of a file with other metadata, written by ExifTool; an empty value removes a tag.
 *
 * @throws badRequest naming a tag that cannot be written, conversionFailed for a file of a type that holds none.
 */
export const writeTags = async (
  bench: Bench,
  { name, digest, 'mime-type': mimeType, encoding }: BlobValue,
  tags: { readonly [tag: string]: string },
): Promise<BlobValue> => {
  const assignments = Object.entries(tags).map(assignment)
  if (assignments.length === 0) throw fail('badRequest', 'metadata: name the tags to write')
  const [path] = bench.paths
  await bench.run('exiftool', [
    ...['-q', '-m', '-overwrite_original', '-charset', 'utf8', '-charset', 'iptc=utf8'],
    ...[...assignments, '--', path!],
  ])
  return bench.keep(path!, {
    name: name ?? digest,
    mimeType: mimeType ?? 'application/octet-stream',
    ...(encoding && { encoding }),
  })
}
