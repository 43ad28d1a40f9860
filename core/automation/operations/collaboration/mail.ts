import { composeMail, type MailDraft } from '../../../content/mail/index.js'
import { notifyOfPermission } from '../../../content/notifications/index.js'
import { type BlobValue, type DocumentRecord, getProperty } from '../../../model/properties/index.js'
import { fail, isArchivoltError } from '../../../platform/errors/index.js'
import {
  defineOperation,
  documentValue,
  type Operation,
  type OperationContext,
} from '../../language/index.js'
import { isTemplate, quotedForTemplate, renderTemplate } from '../../templates/index.js'
import { requireFileField } from '../blobs/changes.js'
import { blobsFrom } from '../blobs/main-blob.js'
import { wholeAceId } from '../permissions/acl-entries.js'

/** @throws notSupported where no mail server is set. */
const requireMail = ({ services }: OperationContext): { sender: string } => {
  if (services.mail) return services.mail
  throw fail('notSupported', 'This server sends no mail: its operator has set no ARCHIVOLT_SMTP_URL')
}

/** The files at some xpaths of a document; a place that is empty adds none. */
const filesAt = async (
  context: OperationContext,
  document: DocumentRecord,
  xpaths: readonly string[],
): Promise<readonly BlobValue[]> => {
  const files = xpaths.map((written) => {
    const { xpath } = requireFileField(context.session.model, document, written)
    return blobsFrom(context, document, { xpath, reason: 'mail' })
  })
  return (await Promise.all(files)).flat()
}

/** Where a reader of a mail finds a document. */
export const addressOf = ({ services }: OperationContext, { id }: DocumentRecord): string =>
  `${services.env['nuxeo.url']}/ui/#!/doc/${id}`

/** The text of a mail; templates see what the incumbent gives them besides the names of expressions. */
const bodyOf = async (
  context: OperationContext,
  input: DocumentRecord,
  { message, from, to, subject }: { message: string; from: string; to: readonly string[]; subject: string },
): Promise<string> => {
  if (!isTemplate(message)) return message
  const text = (value: string) => ({ type: 'string', value }) as const
  try {
    return await renderTemplate(context, {
      template: message,
      input: documentValue(input),
      variables: {
        docUrl: text(addressOf(context, input)),
        docTitle: text(
          String(
            getProperty(input.properties, { model: context.session.model, xpath: 'dc:title' }) ?? input.name,
          ),
        ),
        from: text(from),
        to: text(to.join(', ')),
        subject: text(subject),
      },
    })
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    throw fail(error.code, `message: ${error.message}`, { cause: error, retryable: error.retryable })
  }
}

/** A mail that cannot be made or kept undoes all or, when its caller wants to go on, nothing. */
const orGoOn = async (
  { services }: OperationContext,
  rollsBack: boolean,
  work: () => Promise<void>,
): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (rollsBack || !isArchivoltError(error) || error.retryable) throw error
    services.log('warn', 'a mail was left out', { error: error.message })
  }
}

const send = defineOperation({
  id: 'Document.Mail',
  aliases: ['Notification.SendMail'],
  label: 'Send E-Mail',
  category: 'Notification',
  description: 'Sends a mail about the input document, with files of it, once everything has been saved.',
  isAdministrative: true,
  params: {
    from: { type: 'string', isRequired: true, description: 'An address, or a user who has one.' },
    to: {
      type: 'stringlist',
      isRequired: true,
      description: 'Addresses, and names of users or groups; user: or group: may stand before them.',
    },
    cc: { type: 'stringlist', description: 'Addresses, users or groups that receive a copy.' },
    bcc: { type: 'stringlist', description: 'Addresses, users or groups that receive a blind copy.' },
    replyto: { type: 'stringlist', description: 'Addresses to which answers are sent.' },
    subject: { type: 'string', description: 'The subject.', isRequired: true },
    message: {
      names: 'template',
      type: 'string',
      isRequired: true,
      quoted: quotedForTemplate,
      description:
        // biome-ignore lint/suspicious/noTemplateCurlyInString: what callers write
        'The text; with ${…} or <#…> in it a template of FreeMarker; template:<name> for a deployed one.',
    },
    HTML: { type: 'boolean', default: false, description: 'The message is HTML, not plain text.' },
    files: { type: 'stringlist', description: 'Properties of the document whose files are attached.' },
    rollbackOnError: {
      type: 'boolean',
      default: true,
      description: 'Fail when the mail cannot be made; otherwise it is left out and logged.',
    },
    'Strict User Resolution': {
      type: 'boolean',
      default: true,
      description: 'Fail for a receiver who has no address; otherwise he is left out.',
    },
    viewId: { type: 'string', default: 'view_documents', description: 'Accepted for older callers.' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) => {
      await orGoOn(context, params.rollbackOnError, async () => {
        requireMail(context)
        const draft: MailDraft = {
          from: params.from,
          to: params.to,
          cc: params.cc ?? [],
          bcc: params.bcc ?? [],
          replyTo: params.replyto ?? [],
          subject: params.subject,
          body: await bodyOf(context, input, params),
          isHtml: params.HTML,
          attachments: await filesAt(context, input, params.files ?? []),
          isStrict: params['Strict User Resolution'],
        }
        await context.session.stores.mail.enqueue(await composeMail(context.session, draft))
      })
      return documentValue(input)
    }),
  ],
})

const notify = defineOperation({
  id: 'Document.SendNotificationEmailForPermission',
  label: 'Send the notification email for a permission',
  category: 'Notification',
  description:
    'Notifies the holder of an entry of the ACL of the input document, by mail, of what he may do.',
  params: {
    id: {
      type: 'string',
      isRequired: true,
      description: 'The entry: <user>:<permission>:<granted>[:<creator>:<begin>:<end>]',
    },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) => {
      const { sender } = requireMail(context)
      await notifyOfPermission(context.session, input, {
        id: wholeAceId(params.id),
        sender,
        address: addressOf(context, input),
      })
      return documentValue(input)
    }),
  ],
})

export const mailOperations: readonly Operation[] = [send, notify]
