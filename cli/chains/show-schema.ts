import { z } from 'zod'
import { EXIT, type ExitCode } from '../failures/index.js'
import type { Deployment } from './deploy.js'

/** Prints the JSON Schema of one extension point, or of a whole configuration file: editors complete YAML by it. */
export const showSchema = async (
  { server, terminal }: Deployment,
  point: string | undefined,
): Promise<ExitCode> => {
  const place = point === undefined ? '' : `/${encodeURIComponent(point)}`
  const schema = await server.read(z.looseObject({}), `/contributions${place}/schema.json`)
  terminal.out(JSON.stringify(schema, null, 2))
  return EXIT.ok
}
