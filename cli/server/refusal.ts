import { EXIT, exitCodeOf, RefusedError } from '../failures/index.js'
import { exceptionEntity } from './entities.js'

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    // From a proxy, not from the product: its page says less than the status.
    return undefined
  }
}

/** The error of a response other than 2xx. */
export const refusalOf = async (response: Response): Promise<RefusedError> => {
  const { status, statusText, url } = response
  const body = await response.text()
  const entity = exceptionEntity.safeParse(parse(body))
  const exitCode = exitCodeOf(status)
  if (entity.success)
    return new RefusedError(exitCode, messageOf(status, entity.data.message), {
      status,
      problems: entity.data.details,
    })
  if (status === 404 && body === '')
    return new RefusedError(exitCode, `${new URL(url).pathname} is not available to this user`, {
      status,
      problems: [],
    })
  return new RefusedError(exitCode, `${url} answered ${status} ${statusText}`.trim(), {
    status,
    problems: [],
  })
}

const messageOf = (status: number, message: string): string =>
  exitCodeOf(status) === EXIT.unauthorised && status === 401
    ? `${message}: log in with "archivolt login", or correct ARCHIVOLT_USER and ARCHIVOLT_PASSWORD, which come first`
    : message
