import type { LoginTries, Tries } from './login-throttle.js'

/** Tries of one process, in memory. */
export const memoryTries = (): LoginTries => {
  const known = new Map<string, Tries>()
  return {
    change: async (client, change) => {
      const { tries, result } = change(known.get(client))
      if (tries) known.set(client, tries)
      else known.delete(client)
      return result
    },
    forget: async (prefix) => {
      for (const client of known.keys()) if (client.startsWith(prefix)) known.delete(client)
    },
  }
}
