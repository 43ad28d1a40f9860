import { choosePort, isPortFree, StackFailure } from './process/index.js'
import type { StackSettings } from './settings.js'

/** Ports of the servers that are started here; absent for external ones. */
export type Ports = {
  postgres?: number
  temporal?: { port: number; uiPort: number }
  elasticsearch?: number
}

/** Makes sure that the API's port is free and finds ports for the servers that may move, saying so. */
export const choosePorts = async (settings: StackSettings, say: (text: string) => void): Promise<Ports> => {
  if (!(await isPortFree(settings.port, settings.host))) {
    throw new StackFailure(`Port ${settings.port} is taken or not allowed: set ARCHIVOLT_PORT to a free one.`)
  }
  const { serverPorts } = settings
  const promised = new Set([settings.port])
  const choose = async (what: string, preferred: number): Promise<number> => {
    const { port, isMoved } = await choosePort(preferred, promised)
    promised.add(port)
    if (isMoved) say(`Port ${preferred} is taken: ${what} uses ${port} instead.`)
    return port
  }
  const ports: Ports = {}
  if (!settings.databaseUrl) ports.postgres = await choose('Postgres', serverPorts.postgres)
  if (!settings.temporalAddress) {
    const port = await choose('Temporal', serverPorts.temporal)
    ports.temporal = { port, uiPort: await choose('the Temporal UI', serverPorts.temporalUi) }
  }
  if (settings.elasticsearch.isEnabled && !settings.elasticsearch.url)
    ports.elasticsearch = await choose('Elasticsearch', serverPorts.elasticsearch)
  return ports
}
