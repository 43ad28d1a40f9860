import { defineRegistry, type Finding, refuseConfiguration } from '../../platform/contributions/index.js'
import { commandLineOf, placeholdersOf } from './command-lines/command-line.js'
import { type CommandEntry, commandsPoint } from './command-lines/command-schema.js'
import { type ConverterEntry, convertersPoint } from './converter-schema.js'
import { COMMAND_PARAMETER } from './engines/engine.js'
import { VIDEO_PLACEHOLDERS } from './engines/videos/video-parameters.js'

const problemOf = (
  { engine, parameters = {} }: ConverterEntry,
  commands: ReadonlyMap<string, CommandEntry>,
): Finding[] => {
  const name = parameters[COMMAND_PARAMETER]
  const entry = name === undefined ? undefined : commands.get(name)
  if (engine !== 'video' || name === undefined || !entry) return []
  const found = placeholdersOf(commandLineOf(name, entry, false))
  const missing = VIDEO_PLACEHOLDERS.filter((placeholder) => !found.has(placeholder))
  if (missing.length === 0) return []
  const message = `the command line ${name} has no ${missing.map((placeholder) => `#{${placeholder}}`).join(' and no ')}`
  return [{ path: ['parameters', COMMAND_PARAMETER], message, value: name }]
}

/** Refuses converters of films whose command line could not convert one, whichever of the two is deployed later. */
export const converterCommandsRegistry = defineRegistry({
  name: 'command lines of converters',
  build: (contributions) => {
    const commands = contributions.get(commandsPoint)
    const problems = [...contributions.get(convertersPoint)].flatMap(([name, entry]) =>
      problemOf(entry, commands).map((finding) =>
        contributions.locate({ point: convertersPoint.point, name }, finding),
      ),
    )
    refuseConfiguration(problems)
  },
})
