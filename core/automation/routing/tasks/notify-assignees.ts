import { addressesOf, composeMail, transientAddress } from '../../../content/mail/index.js'
import { isArchivoltError } from '../../../platform/errors/index.js'
import { documentsValue, type OperationContext } from '../../language/index.js'
import { renderTemplate } from '../../templates/index.js'
import { bareActor } from './actors.js'
import type { Task } from './task.js'

const DEFAULT_TEMPLATE = 'template:workflowTaskAssigned'

const text = (value: string) => ({ type: 'string', value }) as const

/** Those of users and groups: whoever makes a task may name others, whom the product does not write to for them. */
const knownAddresses = async (
  { session }: OperationContext,
  actors: readonly string[],
): Promise<string[]> => {
  const known = actors.filter((actor) => transientAddress(bareActor(actor)) === undefined)
  const addresses = await Promise.all(known.map((actor) => addressesOf(session, actor)))
  return [...new Set(addresses.flat())]
}

/**
 * Mails actors that they have a task, where a mail server is set. A mail that cannot be made is logged: whoever has no
 * address has the task all the same.
 *
 * @param template the name of a deployed template; absent: the product's own.
 */
export const notifyAssignees = async (
  context: OperationContext,
  task: Task,
  { actors, template }: { actors: readonly string[]; template?: string | undefined },
): Promise<void> => {
  const { session, services } = context
  if (!services.mail || actors.length === 0) return
  const { sender } = services.mail
  const bcc = await knownAddresses(context, actors)
  if (bcc.length === 0) return
  try {
    const documents = await session.stores.documents.getMany(task.documentIds)
    const body = await renderTemplate(context, {
      template: template === undefined ? DEFAULT_TEMPLATE : `template:${template.replace(/^template:/, '')}`,
      input: documentsValue(documents),
      variables: {
        taskName: text(task.name),
        directive: text(task.directive),
        dueDate: text(task.dueDate ?? ''),
        docTitle: text(String(documents[0]?.properties['dc:title'] ?? documents[0]?.name ?? '')),
        docUrl: text(`${services.env['nuxeo.url']}/ui/#!/doc/${task.documentIds[0] ?? task.id}`),
      },
    })
    const mail = await composeMail(session, {
      ...{ from: sender, to: [], cc: [], bcc, replyTo: [], attachments: [] },
      ...{
        subject: `Task assigned: ${task.name}`.replace(/\s+/g, ' '),
        body,
        isHtml: false,
        isStrict: false,
      },
    })
    await session.stores.mail.enqueue(mail)
  } catch (error) {
    if (!isArchivoltError(error) || error.retryable) throw error
    services.log('warn', 'the mail of a task was left out', { task: task.id, error: error.message })
  }
}
