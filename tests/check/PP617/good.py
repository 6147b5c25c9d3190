import numpy as np
import torch
# --- case: by the operation
def nms(boxes, scores, threshold):
    return torchvision.ops.nms(boxes, scores, threshold)
# --- case: for each class, by the operation
def nms(boxes, scores, threshold):
    for c in range(scores.size(1)):  # lacks: its rounds do not compare one box with the others and keep what is left
        keep = torchvision.ops.nms(boxes, scores[:, c], threshold)
# --- case: soft
def soft_nms(boxes, scores):
    for i in range(len(boxes)):
        ious = box_iou(boxes[i:i + 1], boxes[i + 1:])
        scores[i + 1:] *= torch.exp(-ious)
# --- case: turned boxes
def rotated_nms(boxes, order, threshold):
    while order.numel() > 0:
        i = order[0]
        w = torch.min(boxes[i, 2], boxes[order, 2]) - torch.max(boxes[i, 0], boxes[order, 0])
        order = order[w < threshold]
# --- case: compiled
@numba.jit
def nms(boxes, order, threshold):
    while order.size > 0:
        i = order[0]
        w = np.minimum(boxes[i, 2], boxes[order, 2]) - np.maximum(boxes[i, 0], boxes[order, 0])
        order = order[w < threshold]
# --- case: overlap with the truth
def match(predicted, truths):
    for i in range(len(predicted)):
        ious = box_iou(predicted[i:i + 1], truths)
        mark(ious)
# --- case: overlap of all
def matrix(boxes):
    return box_iou(boxes, boxes)
# --- case: another loop
def clip(boxes):
    for i in range(len(boxes)):
        boxes[i] = np.maximum(np.minimum(boxes[i], 1), 0)
# --- case: a loop over thresholds
def nms_all(boxes, scores):
    for threshold in (0.3, 0.5, 0.7):
        keep(boxes, np.maximum(scores, threshold), np.minimum(scores, threshold))
# --- case: overlap of items at the same place
def pairs(a, b):
    for i in range(len(a)):
        score(box_iou(a[i], b[i]))
# --- case: three dimensions
def nms_3d(boxes, order):
    while order.size > 0:
        w = np.minimum(boxes[0, 3], boxes[order, 3]) - np.maximum(boxes[0, 0], boxes[order, 0])
        order = order[w < 0.5]
# --- case: named so, and no corners
def run_nms(images, model):
    for image in images:
        show(model(image))
# --- whole: boxes are filtered once, by another one
import torch


def near(boxes, frames):
    found = []
    for frame in frames:
        close = [box for box in boxes if iou(frame, box) > 0.5]
        found.append(close)
    return found
# --- whole: the overlap of the first box with the others, of each image
import torch


def first(images):
    return [bbox_iou(boxes[0], boxes[1:]) for boxes in images]
# --- whole: a function of the project, for each image
import torch

def box_nms(boxes, scores, threshold):
    return kernel(boxes, scores, threshold)

def detect(images):
    for boxes, scores in images:
        keep = box_nms(boxes, scores, 0.5)
# --- whole: soft, for each class
import torch

def soft_nms(boxes, scores):
    return kernel(boxes, scores)

def detect(boxes, scores, n_classes):
    for c in range(1, n_classes):
        keep = soft_nms(boxes, scores[c])
# --- case: with NumPy
def nms(boxes, scores, threshold):
    x1, y1, x2, y2 = boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3]
    area = (x2 - x1) * (y2 - y1)
    order = scores.argsort()[::-1]
    keep = []
    while order.size > 0:  # expect: PP617 low
        i = order[0]
        keep.append(i)
        w = np.minimum(x2[i], x2[order[1:]]) - np.maximum(x1[i], x1[order[1:]])
        order = order[1:][w < threshold]
    return keep
# --- case: a name of its own
def py_cpu_nms(dets, thresh):
    boxes, order, keep = dets, dets[:, 4].argsort(), []
    x1, y1, x2, y2 = boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3]
    area = (x2 - x1) * (y2 - y1)
    while len(order) > 0:  # expect: PP617 low
        i = order[0]
        keep.append(i)
        w = np.minimum(x2[i], x2[order[1:]]) - np.maximum(x1[i], x1[order[1:]])
        order = order[1:][w < threshold]
    return keep
# --- case: a method
class Detector:
    def nms(self, boxes, order, threshold):
        keep = []
        x1, x2 = boxes[:, 0], boxes[:, 2]
        while order.size > 0:  # expect: PP617 low
            i = order[0]
            keep.append(i)
            w = np.minimum(x2[i], x2[order[1:]]) - np.maximum(x1[i], x1[order[1:]])
            order = order[1:][w < threshold]
        return keep
# --- case: a count of those that are left
def suppress(boxes, order, threshold):
    keep = []
    x1, x2 = boxes[:, 0], boxes[:, 2]
    while order.shape[0] > 0:  # expect: PP617 low
        i = order[0]
        keep.append(i)
        w = np.minimum(x2[i], x2[order[1:]]) - np.maximum(x1[i], x1[order[1:]])
        order = order[1:][w < threshold]
    return keep
# --- whole: each class by itself, by a function of NumPy
import numpy as np
import torch


def nms_cpu(boxes, scores, threshold):
    order = scores.argsort()[::-1]
    keep = []
    while order.size > 0:  # expect: PP617 low
        keep.append(order[0])
        left = np.maximum(boxes[order[0], 0], boxes[order[1:], 0])
        right = np.minimum(boxes[order[0], 2], boxes[order[1:], 2])
        order = order[1:][right - left < threshold]
    return np.array(keep)


def results(boxes, scores, n_classes):
    found = []
    for c in range(n_classes):
        found.append(nms_cpu(boxes[c], scores[c], 0.5))  # expect: PP617 low
    return found
# --- case: the caller says what overlaps, of boxes of any kind
def non_max_suppression(boxes, scores, threshold, box_iou):
    order = torch.argsort(scores, descending=True)
    kept = []
    while len(order) > 0:  # lacks: its rounds do not compare one box with the others and keep what is left
        i = int(order[0])
        kept.append(i)
        overlaps = box_iou(boxes[order, :], boxes[i : i + 1, :])
        order = order[(overlaps <= threshold).flatten()]
    return kept
