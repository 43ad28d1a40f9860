import { expect, test } from 'vitest'
import { resetPoint } from './reset-point.js'

type Events = Parameters<typeof resetPoint>[0]

const task = { workflowTaskCompletedEventAttributes: {} }
const marker = { markerRecordedEventAttributes: {} }
const activity = (name: string, asked: number) => ({
  activityTaskScheduledEventAttributes: { activityType: { name }, workflowTaskCompletedEventId: asked },
})
const completed = (scheduledEventId: number) => ({
  activityTaskCompletedEventAttributes: { scheduledEventId },
})
const failed = (scheduledEventId: number) => ({ activityTaskFailedEventAttributes: { scheduledEventId } })
const child = (asked: number) => ({
  startChildWorkflowExecutionInitiatedEventAttributes: { workflowTaskCompletedEventId: asked },
})
const childFailed = (initiatedEventId: number) => ({
  childWorkflowExecutionFailedEventAttributes: { initiatedEventId },
})
const asked = { workflowExecutionCancelRequestedEventAttributes: {} }
const childCancelled = (initiatedEventId: number) => ({
  childWorkflowExecutionCanceledEventAttributes: { initiatedEventId },
})
const childDone = (initiatedEventId: number) => ({
  childWorkflowExecutionCompletedEventAttributes: { initiatedEventId },
})
const cancelled = { workflowExecutionCanceledEventAttributes: {} }
const end = { workflowExecutionFailedEventAttributes: {} }

/** Numbered from 1. */
const historyOf = (...events: object[]): Events =>
  events.map((event, index) => ({ ...event, eventId: index + 1 })) as unknown as Events

test.each<[string, object[], number | undefined]>([
  ['before it began', [end], undefined],
  ['a local activity', [task, marker, end], 1],
  [
    'a local activity after an activity',
    [task, activity('runLoopPage', 1), completed(2), task, marker, end],
    4,
  ],
  ['an activity', [task, activity('runLoopPage', 1), failed(2), task, end], 1],
  ['a later page', [task, activity('p', 1), completed(2), task, activity('p', 4), failed(5), task, end], 4],
  ['a child', [task, marker, child(1), childFailed(3), task, end], 1],
  [
    'after an element that failed',
    [task, child(1), childFailed(2), task, child(4), childFailed(5), task, end],
    4,
  ],
  [
    'a child, with no error chain for it',
    [task, child(1), childFailed(2), task, activity('catchFailure', 4), completed(5), task, end],
    1,
  ],
  [
    'a local activity, with an error chain that failed, too',
    [task, marker, activity('catchFailure', 1), failed(3), task, end],
    1,
  ],
  ['cancelled before it began', [asked, task, cancelled], undefined],
  ['cancelled in a local activity', [task, asked, task, marker, cancelled], 1],
  ['cancelled in an activity', [task, activity('p', 1), asked, task, cancelled], 1],
  [
    'cancelled in a later page',
    [task, activity('p', 1), completed(2), task, activity('p', 4), asked, task, cancelled],
    4,
  ],
  [
    'cancelled in a child, whose end it knows',
    [task, child(1), childDone(2), task, child(4), task, asked, task, childCancelled(5), task, cancelled],
    4,
  ],
  ['a child that was cancelled alone', [task, child(1), task, childCancelled(2), task, end], 1],
])('a run is reset to the task that began what failed: %s', (_, events, point) => {
  expect(resetPoint(historyOf(...events))).toBe(point)
})
