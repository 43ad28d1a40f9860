import { isMimeType } from '../../../blobs/index.js'
import { videoExtensionOf } from './video-containers.js'

/** What a contribution of the generic video converter says (blobs-conversions.md §5), all of it together. */
const VIDEO_PARAMETERS = ['CommandLineName', 'videoMimeType', 'videoExtension', 'tmpDirectoryPrefix'] as const

export type VideoParameter = (typeof VIDEO_PARAMETERS)[number]

/** Beginning of the name of a folder. */
const PREFIX = /^[\w-]{1,64}$/

type Parameters = Readonly<Record<string, string>>

/** What is wrong with each; nothing for a converter that says none of them. */
export const videoProblems = (
  parameters: Parameters,
  destinationMimeType: string | undefined,
): { name: string; message: string }[] => {
  if (VIDEO_PARAMETERS.every((name) => parameters[name] === undefined)) return []
  const problem = (name: VideoParameter, message: string) => [{ name, message }]
  const given = (name: VideoParameter, check: (text: string) => string | undefined) => {
    const text = parameters[name]
    if (!text?.trim()) return problem(name, `expected ${name}`)
    const message = check(text)
    return message === undefined ? [] : problem(name, message)
  }
  return [
    ...given('CommandLineName', () => undefined),
    ...given('videoMimeType', (text) => {
      if (!isMimeType(text)) return `${JSON.stringify(text)} is not a mime type`
      return text === destinationMimeType ? undefined : `expected destinationMimeType to be ${text}, too`
    }),
    ...given('videoExtension', (text) =>
      videoExtensionOf(text) === undefined ? `ffmpeg writes no film with the extension ${text}` : undefined,
    ),
    ...given('tmpDirectoryPrefix', (text) =>
      PREFIX.test(text) ? undefined : 'expected letters, digits, _ and -, 64 at most',
    ),
  ]
}

/** The caller's parameters, without those that are the contribution's alone. */
export const withoutFixed = (parameters: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).filter(([name]) => !VIDEO_PARAMETERS.some((fixed) => fixed === name)),
  )

/** Names of parameters of a command line that a film needs. */
export const VIDEO_PLACEHOLDERS = ['inFilePath', 'outFilePath'] as const
