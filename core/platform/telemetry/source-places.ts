import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { originalsOf } from './mappings.js'

/** Places of code that are remembered: the same errors come again and again. */
const REMEMBERED = 2_000

const PLACE = /((?:file:\/\/)?\/[^\s():]+\.js):(\d+):(\d+)/g

/** Characters of a stack: a longer one has a message that somebody else chose. */
const LONGEST = 16_384

const sourceMap = z.object({ sources: z.array(z.string()), mappings: z.string() })

type Place = { text: string; file: string; line: number; column: number }

const placeOf = ([text = '', address = '', line, column]: RegExpExecArray): Place => ({
  text,
  file: address.startsWith('file:') ? fileURLToPath(address) : address,
  line: Number(line),
  column: Number(column),
})

/** What takes the places' place, in their order. */
const lookUp = (file: string, places: readonly Place[]): string[] => {
  const asTheyAre = places.map(({ text }) => text)
  try {
    const { sources, mappings } = sourceMap.parse(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
    const wanted = places.map(({ line, column }) => ({ line: line - 1, column: column - 1 }))
    return originalsOf(mappings, wanted).map((original, index) => {
      const source = original && sources[original.source]
      if (source === undefined) return asTheyAre[index]!
      return `${resolve(dirname(file), source)}:${original!.line + 1}:${original!.column + 1}`
    })
  } catch {
    // Without its map a place is where the code is: what is logged is no reason to fail.
    return asTheyAre
  }
}

/**
 * Says where the stacks of errors are in the sources of a bundle, as `--enable-source-maps` of Node does. Node would keep
 * the maps of all packages and, from the first error on, ours decoded: 60 MiB and more in each process. This reads a map
 * when a place is asked for that it does not know, in some 20 ms.
 *
 * @param folder where the bundle is: places elsewhere stay.
 */
export const createSourcePlaces = (folder: string): ((stack: string) => string) => {
  const known = new LRUCache<string, string>({ max: REMEMBERED })

  const learn = (places: readonly Place[]): void => {
    for (const file of new Set(places.map((place) => place.file))) {
      const own = places.filter((place) => place.file === file)
      for (const [index, text] of lookUp(file, own).entries()) known.set(own[index]!.text, text)
    }
  }

  return (stack) => {
    if (stack.length > LONGEST) return stack
    const places = [...stack.matchAll(PLACE)].map(placeOf).filter(({ file }) => dirname(file) === folder)
    const unknown = places.filter(({ text }) => !known.has(text))
    if (unknown.length > 0) learn(unknown)
    return places.length === 0 ? stack : stack.replace(PLACE, (text) => known.get(text) ?? text)
  }
}

/** The same for the servers as they are built. */
export const inSources = createSourcePlaces(fileURLToPath(new URL('../../../dist', import.meta.url)))
