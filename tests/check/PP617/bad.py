import numpy as np
import torch
# --- case: with PyTorch
def non_max_suppression(boxes, scores, threshold):
    x1, y1, x2, y2 = boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3]
    area = (x2 - x1) * (y2 - y1)
    order = scores.sort(0)[1]
    keep = []
    while order.numel() > 0:  # expect: PP617
        i = order[0]
        keep.append(i)
        w = torch.minimum(x2[i], x2[order[1:]]) - torch.maximum(x1[i], x1[order[1:]])
        order = order[1:][w < threshold]
    return keep
# --- case: by clamp
def nms(boxes, scores, threshold):
    x1, y1, x2, y2 = boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3]
    area = (x2 - x1) * (y2 - y1)
    idx = scores.sort(0)[1]
    while idx.numel() > 0:  # expect: PP617
        i = idx[-1]
        idx = idx[:-1]
        w = torch.clamp(x2[idx], max=x2[i]) - torch.clamp(x1[idx], min=x1[i])
        idx = idx[w < threshold]
    return idx
# --- case: by a function of overlap
def write_results(prediction, confidence):
    for i in range(prediction.size(0)):  # expect: PP617
        ious = bbox_iou(prediction[i].unsqueeze(0), prediction[i + 1:])
        prediction[i + 1:] *= (ious < confidence).float().unsqueeze(1)
    return prediction
# --- case: while some are left
def keep_best(detections, threshold):
    best = []
    while detections.size(0):  # expect: PP617
        overlap = box_iou(detections[0, :4].unsqueeze(0), detections[:, :4]) > threshold
        best.append(detections[0])
        detections = detections[~overlap]
    return best
# --- case: for each class
def nms_per_class(boxes, scores, threshold):
    for c in range(scores.size(1)):
        order = scores[:, c].sort(0)[1]
        while order.numel() > 0:  # expect: PP617
            i = order[0]
            w = torch.min(boxes[i, 2], boxes[order, 2]) - torch.max(boxes[i, 0], boxes[order, 0])
            order = order[w < threshold]
# --- case: by jaccard()
def best(boxes):
    for i in range(len(boxes)):  # expect: PP617
        found = jaccard(boxes[i:i + 1], boxes[i + 1:])
        mark(found)
# --- case: at the top of a program
detections = load()
while len(detections):  # expect: PP617
    large = bbox_iou(detections[0, :4].unsqueeze(0), detections[:, :4]) > 0.5
    detections = detections[~large]
# --- case: with loops over images
def non_max(predictions):
    for image in predictions:
        for i in range(image.size(0)):  # expect: PP617
            ious = box_iou(image[i].unsqueeze(0), image[i + 1:])
            mark(ious)
# --- whole: a list that is filtered by the best of it
import torch


def suppress(boxes, threshold):
    boxes = sorted(boxes, key=lambda box: box[1], reverse=True)
    kept = []
    while boxes:  # expect: PP617
        best = boxes.pop(0)
        boxes = [
            box for box in boxes
            if box[0] != best[0] or intersection_over_union(torch.tensor(best[2:]), torch.tensor(box[2:])) < threshold
        ]
        kept.append(best)
    return kept
# --- whole: the best of those that are left, with the others
import torch


def reduce(detections, threshold):
    kept = []
    while detections.size(0):  # expect: PP617
        kept.append(detections[0].unsqueeze(0))
        if len(detections) == 1:
            break
        ious = bbox_iou(kept[-1], detections[1:])
        detections = detections[1:][ious < threshold]
    return torch.cat(kept)
# --- whole: a function of the project, for each class
import torch

def box_nms(boxes, scores, threshold):
    return kernel(boxes, scores, threshold)

def detect(boxes, scores, n_classes):
    for c in range(1, n_classes):
        keep = box_nms(boxes, scores[c], 0.5)  # expect: PP617
# --- whole: for each label that is there
import torch

def nms(boxes, threshold):
    return kernel(boxes, threshold)

def detect(boxes):
    for label in boxes[:, 6].unique():
        keep = nms(boxes[boxes[:, 6] == label], 0.5)  # expect: PP617
# --- whole: for each class of each image, in a class
import torch

class Detect:
    def non_max_suppression(self, boxes, scores):
        return kernel(boxes, scores)

    def forward(self, images):
        for boxes, scores in images:
            for cl in range(1, self.num_classes):
                keep = self.non_max_suppression(boxes, scores[cl])  # expect: PP617
