import { type Enricher, each } from './enricher.js'

/** Permissions that a user interface offers to grant on a type (rest-documents.md §6). */
export const userVisiblePermissions: Enricher = {
  name: 'userVisiblePermissions',
  aliases: ['AllowedPermissions'],
  enrich: each((document, { asked, session }) => ({
    [asked]: session.permissions.visible(document.type).map(({ name }) => name),
  })),
}
