import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type CommandEntry, commandSchema } from './command-schema.js'

const text = readFileSync(new URL('../../../../config/commands.yaml', import.meta.url), 'utf8')
const { commands } = parse(text) as { commands: { [name: string]: CommandEntry } }

/** Programs that read films, which may take the hour that converters have. */
const OF_FILMS = ['ffmpeg', 'ffprobe']

test.each(Object.entries(commands).filter(([, { commandLine = '' }]) => !OF_FILMS.includes(commandLine)))(
  '%s ends after two minutes, whatever its file asks for',
  (_, entry) => {
    expect(commandSchema.parse(entry).timeout).toBeLessThanOrEqual(120)
  },
)
