import { type RunEntity, runEntity, type Server } from '../server/index.js'

export const runPath = (id: string): string => `/automation/runs/${encodeURIComponent(id)}`

export const resultPath = (chainId: string, id: string): string =>
  `/automation/${encodeURIComponent(chainId)}/@async/${encodeURIComponent(id)}`

/** @throws RefusedError for a run that is unknown or belongs to another user. */
export const getRun = (server: Server, id: string): Promise<RunEntity> => server.read(runEntity, runPath(id))
