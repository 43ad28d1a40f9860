/** The enrichers of the product, each with the names of the classes that implement it in the reference platform. */
export const ENRICHER_CLASSES: { readonly [enricher: string]: readonly string[] } = {
  acls: ['ACLJsonEnricher'],
  audit: ['AuditJsonEnricher'],
  breadcrumb: ['BreadcrumbJsonEnricher'],
  children: ['ChildrenJsonEnricher'],
  collections: ['CollectionsJsonEnricher'],
  documentURL: ['DocumentUrlJsonEnricher'],
  extendedAcls: ['ExtendedACLJsonEnricher'],
  favorites: ['FavoritesJsonEnricher'],
  firstAccessibleAncestor: ['FirstAccessibleAncestorJsonEnricher'],
  hasContent: ['HasContentJsonEnricher'],
  hasFolderishChild: ['HasFolderishChildJsonEnricher'],
  pendingTasks: ['PendingTasksJsonEnricher'],
  permissions: ['BasePermissionsJsonEnricher', 'PermissionsJsonEnricher'],
  preview: ['PreviewJsonEnricher'],
  publications: ['PublicationJsonEnricher'],
  renditions: ['RenditionJsonEnricher'],
  runnableWorkflows: ['RunnableWorkflowJsonEnricher'],
  runningWorkflows: ['RunningWorkflowJsonEnricher'],
  subscribedNotifications: ['SubscribedNotificationsJsonEnricher'],
  subtypes: ['SubtypesJsonEnricher'],
  tags: ['TagsJsonEnricher'],
  thumbnail: ['ThumbnailJsonEnricher'],
  userVisiblePermissions: ['UserVisiblePermissionsJsonEnricher', 'AllowedPermissions'],
  vocabularies: ['VocabulariesJsonEnricher', 'VocabularyJsonEnricher'],
}

const byClass = new Map(
  Object.entries(ENRICHER_CLASSES).flatMap(([enricher, classes]) =>
    [enricher, ...classes].map((name) => [name, enricher] as const),
  ),
)

/** All names that a contribution may give as its class. */
export const enricherClassNames: readonly string[] = [...byClass.keys()]

/** The enricher that a class stands for, named with or without its package; undefined for an unknown one. */
export const enricherOfClass = (name: string): string | undefined =>
  byClass.get(name.trim().replace(/^.*\./, ''))
