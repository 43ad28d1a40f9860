import type { BlobValue, DocumentRecord } from '../../model/properties/index.js'
import { type ArchivoltError, fail } from '../../platform/errors/index.js'
import { hostDocument, type Session } from '../documents/index.js'
import { downloadPermissionsPoint } from './download-permissions-point.js'
import { NO_RUN, programOf } from './program.js'

/** A file of a document that is about to leave it: by a download, or in something made of it. */
export type Download = {
  document: DocumentRecord
  blob: BlobValue
  /** Where the file is, as it was asked for; null for what the document does not hold itself. */
  xpath: string | null
  /** `download`, `rendition`, `conversion`, `export`, `mail` or `copy`. */
  reason: string
  /** Name of the rendition, if it is one. */
  rendition?: string
  infos?: { [name: string]: string | number | boolean | null }
}

/**
 * Asks the scripts of the deployment whether a file may leave its document, administrators included
 * (reference: security.md §9). A script permits by answering `true`; one that fails or answers anything else denies.
 *
 * @throws forbidden when a script denies, internal when it has no function `run`.
 */
export const requireDownload = async (session: Session, download: Download): Promise<void> => {
  const scripts = [...session.contributions.get(downloadPermissionsPoint)]
    .filter(([, { enabled = true }]) => enabled)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [name, { script = '' }] of scripts) {
    const answer = await answerOf(session, download, script)
    if (answer === NO_RUN) throw fail('internal', `downloadPermissions.${name}: ${NO_RUN}`)
    if (answer === false) throw refused(session, download)
    if (answer !== true)
      throw undecided(session, download, fail('invalid', `${name} answers ${JSON.stringify(answer)}`))
  }
}

const refused = ({ principal }: Session, { document, xpath, rendition }: Download): ArchivoltError =>
  fail(
    'forbidden',
    `User '${principal.name}' may not download ${rendition ?? xpath ?? 'this file'} of ${document.id}`,
  )

const undecided = ({ principal }: Session, { document }: Download, cause: unknown): ArchivoltError =>
  fail(
    'forbidden',
    `It could not be decided whether '${principal.name}' may download a file of ${document.id}`,
    { cause },
  )

const answerOf = async (session: Session, download: Download, script: string): Promise<unknown> => {
  const { document, blob, xpath, reason, rendition, infos = {} } = download
  const { name: filename, 'mime-type': mimeType, length, digest } = blob
  try {
    return await session.expressions.evaluate(programOf(script), {
      document: hostDocument(session, document),
      input: null,
      variables: {
        XPath: xpath?.replaceAll(';', ':') ?? null,
        File: { filename, mimeType, length, digest },
        Reason: reason,
        Rendition: rendition ?? null,
        Infos: infos,
      },
      principal: session.principal,
      now: session.now,
      env: {},
    })
  } catch (error) {
    throw undecided(session, download, error)
  }
}
