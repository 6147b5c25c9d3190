"""PP617: choosing among boxes takes longer than finding them.

Each round of the loop is a dozen operations on a few numbers. torchvision.ops.nms does all rounds in
one operation.
"""

import torch
import torchvision

import ppcase

IMAGES, BOXES, THRESHOLD = 4, 1500, 0.5

torch.manual_seed(617)
corners = torch.rand(IMAGES, BOXES, 2) * 400
images = torch.cat([corners, corners + 20 + 60 * torch.rand(IMAGES, BOXES, 2)], dim=2)
all_scores = torch.rand(IMAGES, BOXES)


def nms(boxes, scores):
    return torchvision.ops.nms(boxes, scores, THRESHOLD)


for _ in ppcase.work():
    kept = [nms(boxes, scores) for boxes, scores in zip(images, all_scores)]
ppcase.digest(*(indices.numpy() for indices in kept))
