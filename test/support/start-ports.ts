import { freePort } from '../../stack/process/index.js'

/** Ports for `npm start`, as settings: two that start at the same time would both choose the usual ones. */
export const startPorts = async (): Promise<{ [setting: string]: string }> => ({
  ARCHIVOLT_PORT: String(await freePort()),
  ARCHIVOLT_POSTGRES_PORT: String(await freePort()),
  ARCHIVOLT_TEMPORAL_PORT: String(await freePort()),
  ARCHIVOLT_TEMPORAL_UI_PORT: String(await freePort()),
})
