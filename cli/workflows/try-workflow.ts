import { parse, YAMLParseError } from 'yaml'
import { z } from 'zod'
import { CliError, EXIT, type ExitCode } from '../failures/index.js'
import { readText } from '../files/index.js'
import type { Watch } from '../runs/index.js'
import { workflowTrialEntity } from '../server/index.js'
import { trialLines } from './trial-lines.js'

export type TryOptions = { model?: string; case?: string; json?: boolean }

const mapping = z.record(z.string(), z.json())

const readMapping = async (path: string): Promise<z.output<typeof mapping>> => {
  const text = await readText(path)
  try {
    return mapping.parse(parse(text, { merge: true }))
  } catch (cause) {
    if (!(cause instanceof YAMLParseError || cause instanceof z.ZodError)) throw cause
    throw new CliError(EXIT.usage, `${path}: it is no YAML or JSON with fields`, { cause })
  }
}

const modelIn = async (path: string, name: string): Promise<z.output<typeof mapping>> => {
  const found = await readMapping(path)
  const routes = mapping.safeParse(found.routes)
  if (!routes.success) return found
  const model = mapping.safeParse(routes.data[name])
  if (model.success) return model.data
  throw new CliError(EXIT.usage, `${path}: routes has no model ${name}`)
}

/** Runs a model with the clock turned forward, and prints what happens. */
export const tryWorkflow = async (
  { server, terminal }: Watch,
  name: string,
  { model, case: asked, json = false }: TryOptions,
): Promise<ExitCode> => {
  const body = {
    ...(asked !== undefined && (await readMapping(asked))),
    'entity-type': 'workflowTrial',
    ...(model !== undefined && { model: await modelIn(model, name) }),
  }
  const path = `/workflowModel/${encodeURIComponent(name)}/trial`
  const trial = await server.read(workflowTrialEntity, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    timeoutMs: undefined,
  })
  if (json) terminal.out(JSON.stringify(trial))
  else for (const line of trialLines(trial)) terminal.out(line)
  return EXIT.ok
}
