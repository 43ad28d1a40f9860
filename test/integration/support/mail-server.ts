import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'

export type ReceivedMail = { from: string; to: string[]; text: string }

/** A mail server that keeps what it is sent. `refusal` is what it answers to a sender instead of taking his mail. */
export const createMailServer = async () => {
  const mails: ReceivedMail[] = []
  const state: { refusal: string | undefined } = { refusal: undefined }
  const sockets = new Set<Socket>()
  const serve = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let from = ''
    let to: string[] = []
    let data: string | undefined
    let rest = ''
    const say = (line: string) => socket.write(`${line}\r\n`)
    const command = (line: string): void => {
      const address = /<(.*?)>/.exec(line)?.[1] ?? ''
      if (/^(EHLO|HELO)/i.test(line)) say('250 test')
      else if (/^MAIL/i.test(line)) {
        from = address
        to = []
        say(state.refusal ?? '250 ok')
      } else if (/^RCPT/i.test(line)) {
        to.push(address)
        say('250 ok')
      } else if (/^DATA/i.test(line)) {
        data = ''
        say('354 go on')
      } else if (/^QUIT/i.test(line)) {
        say('221 bye')
        socket.end()
      } else say('250 ok')
    }
    say('220 test')
    socket.on('data', (chunk) => {
      rest += chunk.toString('utf8')
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (data === undefined) command(line)
        else if (line === '.') {
          mails.push({ from, to, text: data })
          data = undefined
          say('250 taken')
        } else data += `${line}\n`
      }
    })
  }
  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { mails, state, url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
