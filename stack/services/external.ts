import { connect } from 'node:net'
import postgres from 'postgres'
import { CONNECTION_END } from '../../schema/connection-end.js'
import { StackFailure } from '../process/index.js'

const CONNECT_SECONDS = 10

/** Checks that an external database answers; its password is not repeated in messages. */
export const checkDatabase = async (url: string): Promise<string> => {
  const { host, pathname } = new URL(url)
  const sql = postgres(url, { max: 1, connect_timeout: CONNECT_SECONDS, onnotice: () => undefined })
  try {
    await sql`SELECT 1`
    return `${host}${pathname}`
  } catch (cause) {
    throw new StackFailure(
      `No database answers at DATABASE_URL (${host}${pathname}): ${(cause as Error).message}.`,
      {
        cause,
      },
    )
  } finally {
    await sql.end(CONNECTION_END)
  }
}

/** Checks that something listens at an external Temporal address. */
export const checkTemporal = (address: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const [host, port] = address.split(':')
    const socket = connect({ host, port: Number(port), timeout: CONNECT_SECONDS * 1000 })
    const refuse = (reason: string): void => {
      socket.destroy()
      reject(new StackFailure(`No Temporal answers at TEMPORAL_ADDRESS (${address}): ${reason}.`))
    }
    socket.once('connect', () => {
      socket.end()
      resolve(address)
    })
    socket.once('timeout', () => refuse('it does not answer'))
    socket.once('error', (error) => refuse(error.message))
  })
