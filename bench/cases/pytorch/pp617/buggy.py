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
    x1, y1, x2, y2 = boxes.unbind(1)
    areas = (x2 - x1) * (y2 - y1)
    order = scores.argsort(descending=True)
    keep = []
    while order.numel() > 0:
        best, order = order[0], order[1:]
        keep.append(best)
        width = (torch.minimum(x2[best], x2[order]) - torch.maximum(x1[best], x1[order])).clamp(min=0)
        height = (torch.minimum(y2[best], y2[order]) - torch.maximum(y1[best], y1[order])).clamp(min=0)
        overlap = width * height
        order = order[overlap / (areas[best] + areas[order] - overlap) <= THRESHOLD]
    return torch.stack(keep)


for _ in ppcase.work():
    kept = [nms(boxes, scores) for boxes, scores in zip(images, all_scores)]
ppcase.digest(*(indices.numpy() for indices in kept))
