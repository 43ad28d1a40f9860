import type { Home } from '../home/index.js'
import { diskFullMessage, followLog, isDiskFull, warningOf } from '../process/index.js'

/** The same warning is shown again only after this time. */
const REPEAT_MS = 30_000

/** The lines of a service's log that the user should see, else undefined: the rest stays in the file. */
export const noteworthy = (service: string, line: string): string | undefined => {
  if (service === 'postgres') return /\bPANIC: /.test(line) ? line : undefined
  if (service === 'temporal') return /level=FATAL/i.test(line) ? line : undefined
  return warningOf(line)
}

export type WarningOptions = {
  home: Home
  services: readonly string[]
  say: (text: string) => void
  /** Whether a warning reports what is known already, such as a Temporal that has yet to be built. */
  isExpected?: (text: string) => boolean
  now?: () => number
}

/** Shows warnings of the services as they are logged. Returns a function that stops it. */
export const showWarnings = ({
  home,
  services,
  say,
  isExpected = () => false,
  now = Date.now,
}: WarningOptions): (() => void) => {
  const shownAt = new Map<string, number>()
  const show = (text: string): void => {
    if (now() - (shownAt.get(text) ?? -REPEAT_MS) < REPEAT_MS) return
    shownAt.set(text, now())
    say(text)
  }
  const stops = services.map((service) =>
    followLog(home.logFile(service), (line) => {
      if (isDiskFull(line)) return show(diskFullMessage(home.folder))
      const text = noteworthy(service, line)
      if (text && !isExpected(text)) show(`${service}: ${text}`)
    }),
  )
  return () => {
    for (const stop of stops) stop()
  }
}
