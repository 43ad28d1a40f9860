import { freePort } from '../../stack/process/index.js'

/**
 * Settings of an `npm start` of tests: ports, as two that start at the same time would both choose the usual ones, and
 * no Elasticsearch, whose start takes longer than most tests.
 */
export const startPorts = async (): Promise<{ [setting: string]: string }> => ({
  ARCHIVOLT_ELASTICSEARCH: 'off',
  ARCHIVOLT_PORT: String(await freePort()),
  ARCHIVOLT_POSTGRES_PORT: String(await freePort()),
  ARCHIVOLT_TEMPORAL_PORT: String(await freePort()),
  ARCHIVOLT_TEMPORAL_UI_PORT: String(await freePort()),
})
