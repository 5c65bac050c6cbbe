#include <fencecheck/designs/mail-directly/design.h>

#include <fencecheck/properties/design_of.h>

namespace fencecheck::designs {
std::unique_ptr<Design> mail_directly() { return make_design<MailDirectly>(); }
}  // namespace fencecheck::designs
