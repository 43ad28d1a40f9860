/** A dependency that must answer for the process to be useful; it throws when it does not. */
export type HealthCheck = {
  name: string
  /** False: the process can do part of its work without it. */
  isRequired: boolean
  check(): Promise<void>
}

type State = 'up' | 'degraded' | 'down'

type Finding = { name: string; state: State; latencyMs: number; message?: string }

export type Readiness = { state: State; dependencies: readonly Finding[] }

const CHECK_MS = 2_000

const withDeadline = async (check: () => Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_MS} ms`)), CHECK_MS)
  })
  try {
    await Promise.race([check(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** A code of the system or of the database; those of gRPC are bare numbers. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error && 'code' in error)) return 'failed'
  return typeof error.code === 'number' ? `gRPC status ${error.code}` : String(error.code)
}

const find = async ({ name, isRequired, check }: HealthCheck): Promise<Finding> => {
  const startedAt = performance.now()
  const latencyMs = () => Math.round((performance.now() - startedAt) * 10) / 10
  try {
    await withDeadline(check)
    return { name, state: 'up', latencyMs: latencyMs() }
  } catch (error) {
    // The route is open: details of the failure, with names of hosts and folders, are logged.
    const message = codeOf(error)
    return { name, state: isRequired ? 'down' : 'degraded', latencyMs: latencyMs(), message }
  }
}

/** Asks each dependency; the whole is `down` when a required one does not answer within two seconds. */
export const probe = async (checks: readonly HealthCheck[]): Promise<Readiness> => {
  const dependencies = await Promise.all(checks.map(find))
  const states = new Set(dependencies.map(({ state }) => state))
  return { state: states.has('down') ? 'down' : states.has('degraded') ? 'degraded' : 'up', dependencies }
}
