import type { Logger } from 'pino'

/** Whether the index is switched on, read at each call; each change of that is one line of the log. */
export const createSwitch = (read: () => boolean, logger: Pick<Logger, 'info'>): (() => boolean) => {
  let wasOn = true
  return () => {
    const isOn = read()
    if (isOn === wasOn) return isOn
    wasOn = isOn
    logger.info(
      isOn
        ? 'elasticsearch.enabled is true again: the index answers searches as soon as it has caught up'
        : 'elasticsearch.enabled is false: the database answers all queries, and nothing is indexed',
    )
    return isOn
  }
}
