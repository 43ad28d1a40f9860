import type { Event, EventId } from './events.js'

/** What an activity or a child that failed was begun by; undefined for every other event. */
const begunBy = (event: Event): EventId => {
  const activity =
    event.activityTaskFailedEventAttributes ??
    event.activityTaskTimedOutEventAttributes ??
    event.activityTaskCanceledEventAttributes
  const child =
    event.childWorkflowExecutionFailedEventAttributes ??
    event.childWorkflowExecutionTimedOutEventAttributes ??
    event.childWorkflowExecutionCanceledEventAttributes ??
    event.childWorkflowExecutionTerminatedEventAttributes ??
    event.startChildWorkflowExecutionFailedEventAttributes
  return activity?.scheduledEventId ?? child?.initiatedEventId
}

/** Events between a workflow task and the one before it: what led to the task. */
const leadingTo = (events: readonly Event[], task: Event): readonly Event[] => {
  const before = events.slice(0, events.indexOf(task))
  const previous = before.findLastIndex((event) => event.workflowTaskCompletedEventAttributes)
  return before.slice(previous + 1)
}

/** The task that gave the command of an event, and the activity that it began, where it did. */
const commandOf = (events: readonly Event[], id: EventId) => {
  const begun = events.find(({ eventId }) => String(eventId) === String(id))
  const activity = begun?.activityTaskScheduledEventAttributes
  const command = activity ?? begun?.startChildWorkflowExecutionInitiatedEventAttributes
  const task = events.find(({ eventId }) => String(eventId) === String(command?.workflowTaskCompletedEventId))
  return { task, activity: activity?.activityType?.name }
}

/** The task that asked for an error chain, when its outcome is the last thing that led to a task. */
const taskOfErrorChain = (events: readonly Event[], task: Event): Event | undefined => {
  const ended = leadingTo(events, task).flatMap(
    ({ activityTaskCompletedEventAttributes: completed, activityTaskFailedEventAttributes: failed }) => {
      const id = completed?.scheduledEventId ?? failed?.scheduledEventId
      return id ? [commandOf(events, id)] : []
    },
  )
  return ended.findLast(({ activity }) => activity === 'catchFailure')?.task
}

/** What an activity or a child that has ended was begun by. */
const begunByEnded = (event: Event): EventId =>
  event.activityTaskCompletedEventAttributes?.scheduledEventId ??
  event.childWorkflowExecutionCompletedEventAttributes?.initiatedEventId ??
  begunBy(event)

/**
 * The task that began what was running when the cancellation was requested, or the last one before: its
 * outcome, and the request, would stay in the history otherwise.
 */
const pointBeforeCancel = (events: readonly Event[], requested: number): EventId => {
  const before = events.slice(0, requested)
  const ended = new Set(before.map((event) => String(begunByEnded(event))))
  const open = before.find(
    ({
      eventId,
      activityTaskScheduledEventAttributes,
      startChildWorkflowExecutionInitiatedEventAttributes,
    }) =>
      (activityTaskScheduledEventAttributes ?? startChildWorkflowExecutionInitiatedEventAttributes) &&
      !ended.has(String(eventId)),
  )
  const last = before.findLast((event) => event.workflowTaskCompletedEventAttributes)
  return (open ? commandOf(events, open.eventId).task : last)?.eventId
}

/**
 * The workflow task to which a run that has failed or was cancelled is reset: the last one, when what failed was part
 * of it; else the one that began the activity or the child that failed, whose failure would stay in the history
 * otherwise. Looking for an error chain follows a failure, and is none of its own.
 *
 * @returns undefined when the run ended before its first task.
 */
export const resetPoint = (events: readonly Event[]): EventId => {
  const requested = events.findIndex((event) => event.workflowExecutionCancelRequestedEventAttributes)
  if (requested >= 0 && events.at(-1)?.workflowExecutionCanceledEventAttributes)
    return pointBeforeCancel(events, requested)
  const last = events.findLast((event) => event.workflowTaskCompletedEventAttributes)
  if (!last) return undefined
  const failing = taskOfErrorChain(events, last) ?? last
  const failed = leadingTo(events, failing)
    .map(begunBy)
    .findLast((id) => id !== null && id !== undefined)
  return (failed ? commandOf(events, failed).task : failing)?.eventId
}
